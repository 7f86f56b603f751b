package dev.rondo.history.locations;

/**
 * Where slots of a series are stored, and those of which time.
 *
 * @param policy name of the policy
 * @param seg number of the segment
 * @param pos position, from 1
 * @param sinceMs slots that end at or before it are not of the series here, epoch ms
 * @param untilMs slots that begin at or after it are not of the series here, epoch ms; {@link
 *     Long#MAX_VALUE}: it lives here
 * @param takenMs slots that end after it are of another series, epoch ms; {@link Long#MAX_VALUE}:
 *     of none
 */
public record Location(String policy, int seg, int pos, long sinceMs, long untilMs, long takenMs) {
  /** Whether a slot of the series, which ends at {@code endMs}, is stored here. */
  public boolean has(long endMs, long stepMs) {
    return endMs > sinceMs && endMs - stepMs < untilMs && endMs <= takenMs;
  }

  /** Whether both have the same position. */
  public boolean isAt(Location other) {
    return policy.equals(other.policy) && seg == other.seg && pos == other.pos;
  }
}
