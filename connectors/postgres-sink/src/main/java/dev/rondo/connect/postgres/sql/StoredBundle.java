package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Row;

/**
 * A row of {@code rra_bundle}.
 *
 * @param width of its widest segment
 * @param whisper whether its policy is in Whisper mode
 * @param latestMs end of the newest slot written, epoch ms; {@code Long.MIN_VALUE} before the first
 */
public record StoredBundle(int id, int width, double xff, boolean whisper, long latestMs) {

  /** Returns the bundle with at least this width and the xff and mode of {@code newest}. */
  public StoredBundle reshaped(int segmentWidth, Row newest) {
    return new StoredBundle(
        id, Math.max(width, segmentWidth), newest.xff(), newest.whisper(), latestMs);
  }

  public StoredBundle withLatest(long endMs) {
    return new StoredBundle(id, width, xff, whisper, endMs);
  }
}
