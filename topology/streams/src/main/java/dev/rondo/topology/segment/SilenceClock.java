package dev.rondo.topology.segment;

import dev.rondo.topology.policy.Policy;

/**
 * Measures the silence of the series of a policy: how long points have kept arriving at a task, by
 * their times. A gap, be it an outage or a single wrong time, counts as a heartbeat at most.
 *
 * <pre>
 *   newest point    0 10 20 30                         7d+10 7d+20
 *   silence clock   0 10 20 30 ┄┄ at most a heartbeat ┄┄  150   160 s
 * </pre>
 */
final class SilenceClock {
  /** Points at most this many steps apart count as continuous. */
  private static final int MAX_STEPS_APART = 10;

  /** Largest advance, as a divisor of {@code expire.after}. */
  private static final int MIN_ADVANCES = 10;

  /** How often it is written even if no segment changes, ms. */
  private static final long WRITE_INTERVAL_MS = 3_600_000;

  private long maxAdvanceMs;
  private long ms;
  private long writtenMs;

  SilenceClock(Policy policy) {
    limitBy(policy);
  }

  /** Uses the limits of another version of the policy. */
  void limitBy(Policy policy) {
    long apartMs = Math.max(policy.heartbeatMs(), MAX_STEPS_APART * policy.stepMs());
    this.maxAdvanceMs =
        Math.max(policy.stepMs(), Math.min(apartMs, policy.expireAfterMs() / MIN_ADVANCES));
  }

  /** Advances with the newest point, by {@link #maxAdvanceMs} at most. */
  void advance(long byMs) {
    ms += Math.min(byMs, maxAdvanceMs);
  }

  /** Time of this clock, ms; only differences have a meaning. */
  long ms() {
    return ms;
  }

  /** Largest single advance, ms. */
  long maxAdvanceMs() {
    return maxAdvanceMs;
  }

  /** Restores the time that was written with a segment, ms. */
  void restore(long ms) {
    this.ms = Math.max(this.ms, ms);
    this.writtenMs = this.ms;
  }

  /** Whether a segment should be written to save this clock; true once per interval. */
  boolean mustBeWritten() {
    boolean must = ms - writtenMs >= WRITE_INTERVAL_MS;
    if (must) {
      writtenMs = ms;
    }
    return must;
  }

  /** Marks this clock as written with a segment. */
  void written() {
    writtenMs = ms;
  }
}
