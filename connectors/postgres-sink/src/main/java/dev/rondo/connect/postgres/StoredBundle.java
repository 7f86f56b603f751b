package dev.rondo.connect.postgres;

/**
 * A row of {@code rra_bundle}.
 *
 * @param width that of its widest segment
 * @param latestMs end of the newest slot written, epoch ms; {@code Long.MIN_VALUE} before the first
 */
record StoredBundle(int id, int width, double xff, long latestMs) {

  /** As it is once it had segments of this width, and this xff; equal where nothing changes. */
  StoredBundle reshaped(int segmentWidth, double newXff) {
    return new StoredBundle(id, Math.max(width, segmentWidth), newXff, latestMs);
  }

  StoredBundle withLatest(long endMs) {
    return new StoredBundle(id, width, xff, endMs);
  }
}
