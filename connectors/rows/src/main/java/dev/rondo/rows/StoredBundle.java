package dev.rondo.rows;

/**
 * A row of {@code rra_bundle}.
 *
 * @param width of its widest segment
 * @param firstMs end of the oldest slot written, epoch ms; {@code Long.MAX_VALUE} before the first
 * @param latestMs end of the newest slot written, epoch ms; {@code Long.MIN_VALUE} before the first
 */
public record StoredBundle(
    int id, int width, BundleProperties properties, long firstMs, long latestMs) {

  /** Returns the bundle with at least this width and the {@code newest} properties. */
  public StoredBundle reshaped(int segmentWidth, BundleProperties newest) {
    return new StoredBundle(id, Math.max(width, segmentWidth), newest, firstMs, latestMs);
  }

  /** Returns the bundle with the slot and the width of {@code row}. */
  public StoredBundle with(Row row) {
    return new StoredBundle(
        id,
        Math.max(width, row.width()),
        properties,
        Math.min(firstMs, row.endMs()),
        Math.max(latestMs, row.endMs()));
  }
}
