package dev.rondo.local.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/**
 * Chooses the port of each part: the user's, which must be free; otherwise the port last used in
 * this data folder, or the default. If the default is taken, chooses another port if a second Rondo
 * is expected ({@code mayMove}), and fails otherwise.
 */
public final class PortChoice {
  private final Map<String, Integer> last;
  private final boolean mayMove;
  private final IntPredicate isFree;
  private final IntSupplier anyFree;
  private final IntFunction<Optional<String>> holder;

  private final Map<String, Integer> chosen = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param last port by part, from the last start in this folder
   * @param holder describes the process on a port
   */
  public PortChoice(
      Map<String, Integer> last,
      boolean mayMove,
      IntPredicate isFree,
      IntSupplier anyFree,
      IntFunction<Optional<String>> holder) {
    this.last = last;
    this.mayMove = mayMove;
    this.isFree = isFree;
    this.anyFree = anyFree;
    this.holder = holder;
  }

  /**
   * Chooses the port of {@code part}.
   *
   * @param given value of {@code --<part>-port}; null: none; 0: any free port
   * @throws UserError with port, option and holder if the port is taken
   */
  public int choose(String part, Integer given, int byDefault) {
    int port = decide(part, given, byDefault);
    chosen.put(part, port);
    return port;
  }

  /** All chosen ports, by part. */
  public Map<String, Integer> chosen() {
    return chosen;
  }

  /** One message per default port that was taken. */
  public List<String> notes() {
    return notes;
  }

  private int decide(String part, Integer given, int byDefault) {
    if (given != null && given != 0) {
      if (!isAvailable(given)) {
        throw taken(part, given);
      }
      return given;
    }
    Integer previous = last.get(part);
    if (previous != null && isAvailable(previous)) {
      return previous;
    }
    if (given != null) {
      return another();
    }
    if (isAvailable(byDefault)) {
      return byDefault;
    }
    if (!mayMove) {
      throw taken(part, byDefault);
    }
    int other = another();
    notes.add(
        "port %d is taken%s: %s is on port %d (--%s-port)"
            .formatted(byDefault, by(byDefault), part, other, part));
    return other;
  }

  private boolean isAvailable(int port) {
    return !chosen.containsValue(port) && isFree.test(port);
  }

  private int another() {
    int port = anyFree.getAsInt();
    while (chosen.containsValue(port)) {
      port = anyFree.getAsInt();
    }
    return port;
  }

  private UserError taken(String part, int port) {
    return new UserError(
        "port %d is taken%s: choose another port for %s with --%s-port, or 0 for any free port"
            .formatted(port, by(port), part, part));
  }

  private String by(int port) {
    if (chosen.containsValue(port)) {
      return " (by another part of this Rondo)";
    }
    return holder.apply(port).map(" (by %s)"::formatted).orElse("");
  }
}
