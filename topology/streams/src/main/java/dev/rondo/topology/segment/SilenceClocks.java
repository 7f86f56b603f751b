package dev.rondo.topology.segment;

import dev.rondo.topology.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/** The {@link SilenceClock} of each policy of a task. */
public final class SilenceClocks {
  /** Shorter advances are added up, because this runs once per point. */
  private static final long MIN_ADVANCE_MS = 1_000;

  private final Map<String, SilenceClock> byPolicy = new HashMap<>();
  private long countedMs = Long.MAX_VALUE;

  SilenceClock of(Policy policy) {
    SilenceClock clock = byPolicy.computeIfAbsent(policy.name(), name -> new SilenceClock(policy));
    clock.limitBy(policy);
    return clock;
  }

  /** Sets the time of the newest point of the task, epoch ms; it may be set back with a clock. */
  public void see(long newestMs) {
    if (newestMs < countedMs) {
      countedMs = newestMs;
    } else if (newestMs - countedMs >= MIN_ADVANCE_MS) {
      byPolicy.values().forEach(clock -> clock.advance(newestMs - countedMs));
      countedMs = newestMs;
    }
  }
}
