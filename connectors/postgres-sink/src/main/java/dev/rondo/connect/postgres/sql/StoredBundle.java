package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Row;

/**
 * A row of {@code rra_bundle}.
 *
 * @param width of its widest segment
 * @param whisper whether its policy is in Whisper mode
 * @param aggregate function that its policy is shown by
 * @param firstMs end of the oldest slot written, epoch ms; {@code Long.MAX_VALUE} before the first
 * @param latestMs end of the newest slot written, epoch ms; {@code Long.MIN_VALUE} before the first
 */
public record StoredBundle(
    int id, int width, double xff, boolean whisper, String aggregate, long firstMs, long latestMs) {

  /** Returns the bundle with at least this width and xff, mode and aggregate of {@code newest}. */
  public StoredBundle reshaped(int segmentWidth, Row newest) {
    return new StoredBundle(
        id,
        Math.max(width, segmentWidth),
        newest.xff(),
        newest.whisper(),
        newest.aggregate(),
        firstMs,
        latestMs);
  }

  /** Returns the bundle with the slot of {@code row}. */
  public StoredBundle with(Row row) {
    return new StoredBundle(
        id,
        width,
        xff,
        whisper,
        aggregate,
        Math.min(firstMs, row.endMs()),
        Math.max(latestMs, row.endMs()));
  }
}
