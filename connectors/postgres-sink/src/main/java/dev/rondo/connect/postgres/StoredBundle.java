package dev.rondo.connect.postgres;

/**
 * A row of {@code rra_bundle}.
 *
 * @param latestMs end of the newest slot written, epoch ms; {@code Long.MIN_VALUE} before the first
 */
record StoredBundle(int id, int width, double xff, long latestMs) {

  boolean hasShapeOf(Row row) {
    return width == row.width() && Double.compare(xff, row.xff()) == 0;
  }

  StoredBundle withShapeOf(Row row) {
    return new StoredBundle(id, row.width(), row.xff(), latestMs);
  }

  StoredBundle withLatest(long endMs) {
    return new StoredBundle(id, width, xff, endMs);
  }
}
