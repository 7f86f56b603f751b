package dev.rondo.chaos.fault;

import dev.rondo.chaos.part.Part;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A fault that hits some parts at the same moment.
 *
 * @param parts that it hits; empty if it changes the load
 * @param lastsMs how long the parts are frozen; 0 for a kind without duration
 */
public record Fault(FaultKind kind, List<Part> parts, long lastsMs) {
  /** A fault without duration. */
  static Fault of(FaultKind kind, Part... parts) {
    return new Fault(kind, List.of(parts), 0);
  }

  /** Whether it ends an instance of the topology. */
  public boolean endsTopology() {
    return kind != FaultKind.FREEZE && parts.stream().anyMatch(Part::isTopology);
  }

  /** How often it restarts each of its parts. */
  public int restarts() {
    return isKilledMeanwhile() ? 2 : kind.restarts() ? 1 : 0;
  }

  /**
   * Whether parts with a wrong clock are killed before it is set right. An instance of the topology
   * that is behind is not: it counts the slots that are too far ahead, and would lose the counter.
   */
  boolean isKilledMeanwhile() {
    return kind == FaultKind.AHEAD || (kind == FaultKind.BEHIND && !endsTopology());
  }

  /** Such as {@code killed broker and connect}. */
  String text() {
    if (kind == FaultKind.CHANGE_POLICIES && !parts.isEmpty()) {
      return kind.text() + ", " + new Fault(FaultKind.KILL, parts, lastsMs).text();
    }
    String names = parts.stream().map(Part::label).collect(Collectors.joining(" and "));
    String lasts = lastsMs == 0 ? "" : " for %.1f s".formatted(lastsMs / 1e3);
    return (kind.text() + " " + names).strip() + lasts;
  }
}
