package dev.rondo.loadgen.send;

/**
 * Progress of a run at one moment.
 *
 * @param turns sent so far
 * @param allTurns turns in the plan
 * @param points sent so far
 * @param failed points that will not be acknowledged
 * @param lagMs lag behind the plan
 * @param nanos since its start
 */
public record Snapshot(
    long turns, long allTurns, long points, long failed, long lagMs, long nanos) {
  /** Points a second since the start. */
  double rate() {
    return nanos == 0 ? 0 : points * 1e9 / nanos;
  }
}
