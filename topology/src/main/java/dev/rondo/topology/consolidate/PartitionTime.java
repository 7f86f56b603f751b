package dev.rondo.topology.consolidate;

/**
 * The newest time among the points of a partition. While points come it stands still between them;
 * while none come it goes on with the wall clock, so that slots of a silent partition close too.
 */
final class PartitionTime {
  private long newestMs;
  private long seenWallMs;

  /** Starts at the newest point that is known from before. */
  PartitionTime(long newestMs, long wallMs) {
    this.newestMs = newestMs;
    this.seenWallMs = wallMs;
  }

  void see(long tMs, long wallMs) {
    newestMs = Math.max(newestMs, tMs);
    seenWallMs = wallMs;
  }

  /** Newest time of a point, epoch ms; {@link Long#MIN_VALUE} before the first. */
  long newestMs() {
    return newestMs;
  }

  /** Newest time of a point and what the clock has gone on since, epoch ms. */
  long atMs(long wallMs) {
    return newestMs == Long.MIN_VALUE ? newestMs : newestMs + Math.max(0, wallMs - seenWallMs);
  }
}
