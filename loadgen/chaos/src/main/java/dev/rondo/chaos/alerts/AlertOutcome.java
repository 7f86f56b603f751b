package dev.rondo.chaos.alerts;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a fault has raised.
 *
 * @param firedSeconds from its begin until exactly its alerts fired; NaN: never; 0 if it has none
 * @param endedSeconds from its mend until none fired; NaN: never
 * @param others alerts that fired beside them before the mend
 */
public record AlertOutcome(
    AlertFault fault, double firedSeconds, double endedSeconds, Set<String> others) {
  private static final String ROW = "%-16s %-52s %11s %11s  %s";

  /** Whether exactly its alerts fired, and ended. */
  public boolean isGood() {
    return !Double.isNaN(firedSeconds) && !Double.isNaN(endedSeconds) && others.isEmpty();
  }

  /** A table of all. */
  public static List<String> table(List<AlertOutcome> outcomes) {
    List<String> lines = new ArrayList<>();
    lines.add(ROW.formatted("fault", "expected", "fired after", "ended after", "").stripTrailing());
    outcomes.forEach(each -> lines.add(each.row()));
    return lines;
  }

  private String row() {
    String expected = fault.raised().isEmpty() ? "none" : String.join(", ", fault.raised());
    String wrong = others.isEmpty() ? "" : "not expected: " + String.join(", ", others);
    String fired = fault.raised().isEmpty() ? "-" : seconds(firedSeconds);
    return ROW.formatted(fault.label(), expected, fired, seconds(endedSeconds), wrong)
        .stripTrailing();
  }

  private static String seconds(double seconds) {
    return Double.isNaN(seconds) ? "never" : "%.0f s".formatted(seconds);
  }
}
