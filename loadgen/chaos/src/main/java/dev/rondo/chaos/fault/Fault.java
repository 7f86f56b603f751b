package dev.rondo.chaos.fault;

import dev.rondo.chaos.part.Part;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens to some parts at the same moment.
 *
 * @param pauseMs between all being ready and the fault
 * @param parts that it happens to; none where it happens to the load
 * @param lastsMs how long they are frozen or away; 0 for a kind that does not last
 */
public record Fault(FaultKind kind, List<Part> parts, long pauseMs, long lastsMs) {
  /** Without a pause, and one that does not last. */
  static Fault of(FaultKind kind, Part... parts) {
    return new Fault(kind, List.of(parts), 0, 0);
  }

  /** Whether an instance of the topology ends by it. */
  public boolean endsTopology() {
    return kind != FaultKind.FREEZE && parts.stream().anyMatch(Part::isTopology);
  }

  /** Such as {@code killed broker and connect}. */
  String text() {
    String names = parts.stream().map(Part::label).collect(Collectors.joining(" and "));
    String lasts = lastsMs == 0 ? "" : " for %.1f s".formatted(lastsMs / 1e3);
    return (kind.text() + " " + names).strip() + lasts;
  }
}
