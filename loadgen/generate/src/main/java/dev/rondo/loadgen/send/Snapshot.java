package dev.rondo.loadgen.send;

/**
 * How far a run is at a moment.
 *
 * @param turns taken
 * @param allTurns that there are
 * @param points handed over
 * @param failed points that will not be acknowledged
 * @param lagMs how far it is behind its plan
 * @param nanos since its start
 */
public record Snapshot(
    long turns, long allTurns, long points, long failed, long lagMs, long nanos) {
  /** Points a second since the start. */
  double rate() {
    return nanos == 0 ? 0 : points * 1e9 / nanos;
  }
}
