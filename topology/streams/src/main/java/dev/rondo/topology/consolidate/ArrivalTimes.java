package dev.rondo.topology.consolidate;

import dev.rondo.topology.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/** The {@link ArrivalTime} of each policy of a task. */
final class ArrivalTimes {
  /** Less is added up before it is counted: it is looked at for every point. */
  private static final long LEAST_MS = 1_000;

  private final Map<String, ArrivalTime> byPolicy = new HashMap<>();
  private long countedMs = Long.MAX_VALUE;

  ArrivalTime of(Policy policy) {
    return byPolicy.computeIfAbsent(policy.name(), name -> new ArrivalTime(policy));
  }

  /** The newest point of the task is of this time, epoch ms; a clock set back takes it back. */
  void see(long newestMs) {
    if (newestMs < countedMs) {
      countedMs = newestMs;
    } else if (newestMs - countedMs >= LEAST_MS) {
      byPolicy.values().forEach(time -> time.advance(newestMs - countedMs));
      countedMs = newestMs;
    }
  }
}
