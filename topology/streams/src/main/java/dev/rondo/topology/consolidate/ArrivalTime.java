package dev.rondo.topology.consolidate;

import dev.rondo.topology.policy.Policy;

/**
 * How long points have kept coming to a task, by their times and as one policy sees it: what the
 * silence of its series is measured by. Time in which nothing came does not count, be it an outage
 * or one wrong time of a point.
 *
 * <pre>
 *   newest point    0 10 20 30                         7d+10 7d+20
 *   arrival time    0 10 20 30 ┄┄ at most a heartbeat ┄┄  150   160 s
 * </pre>
 */
final class ArrivalTime {
  /** Points that are further apart than so many steps, and than a heartbeat, do not keep coming. */
  private static final int STEPS = 10;

  /** One jump is at most this part of {@code expire.after}. */
  private static final int PARTS = 10;

  /** It is written at least once in so much of it. */
  private static final long UNWRITTEN_MS = 3_600_000;

  private final long mostMs;
  private long ms;
  private long writtenMs;

  /** As series of the policy see it. */
  ArrivalTime(Policy policy) {
    long apartMs = Math.max(policy.heartbeatMs(), STEPS * policy.stepMs());
    this.mostMs = Math.max(policy.stepMs(), Math.min(apartMs, policy.expireAfterMs() / PARTS));
  }

  /** The time of the newest point has gone on by so much. */
  void advance(long byMs) {
    ms += Math.min(byMs, mostMs);
  }

  /** So long, ms; what counts is the difference of two. */
  long ms() {
    return ms;
  }

  /** Two that are no further apart need not be told apart, ms. */
  long mostMs() {
    return mostMs;
  }

  /** It was this when a segment was written, ms. */
  void restore(long ms) {
    this.ms = Math.max(this.ms, ms);
    this.writtenMs = this.ms;
  }

  /** Whether a segment should be written now only to keep it; true is said once. */
  boolean mustBeWritten() {
    boolean must = ms - writtenMs >= UNWRITTEN_MS;
    if (must) {
      writtenMs = ms;
    }
    return must;
  }

  /** A segment is written with it. */
  void wrote() {
    writtenMs = ms;
  }
}
