package dev.rondo.topology.segment;

import dev.rondo.topology.policy.Policy;

/**
 * The clock that measures the silence of the series of a policy: how long points have kept arriving
 * at a task, by their times. Time in which nothing arrived counts as a heartbeat at most, whether
 * it was an outage or a single wrong time.
 *
 * <pre>
 *   newest point    0 10 20 30                         7d+10 7d+20
 *   silence clock   0 10 20 30 ┄┄ at most a heartbeat ┄┄  150   160 s
 * </pre>
 */
final class SilenceClock {
  /** Points that are no further apart than this many steps keep arriving. */
  private static final int MAX_STEPS_APART = 10;

  /** One advance is at most this part of {@code expire.after}. */
  private static final int MIN_ADVANCES = 10;

  /** It is written at least this often, by itself, ms. */
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

  /** Adds an advance of the time of the newest point, ms. */
  void advance(long byMs) {
    ms += Math.min(byMs, maxAdvanceMs);
  }

  /** Its time, ms; only the difference of two has a meaning. */
  long ms() {
    return ms;
  }

  /** The largest single advance, ms. */
  long maxAdvanceMs() {
    return maxAdvanceMs;
  }

  /** Restores what was written with a segment, ms. */
  void restore(long ms) {
    this.ms = Math.max(this.ms, ms);
    this.writtenMs = this.ms;
  }

  /** Whether some segment should be written for its sake; true only once per interval. */
  boolean mustBeWritten() {
    boolean must = ms - writtenMs >= WRITE_INTERVAL_MS;
    if (must) {
      writtenMs = ms;
    }
    return must;
  }

  /** It was written with a segment. */
  void written() {
    writtenMs = ms;
  }
}
