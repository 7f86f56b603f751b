package dev.rondo.topology.order;

import java.util.Comparator;

/**
 * A batch that waits, and when it is its turn. Both times are at least those of the batch before it
 * in its partition that holds a series of it, so that a series keeps the order of its partition.
 */
final class Turn {
  /** Of one time, by source: the order of arrival is another one in a replay. */
  static final Comparator<Turn> BY_WRITING = Turn::compareByWriting;

  /** Of one time as {@link #BY_WRITING}. */
  static final Comparator<Turn> BY_POINTS =
      (a, b) -> {
        int byPoints = Long.compare(a.pointsMs, b.pointsMs);
        return byPoints == 0 ? compareByWriting(a, b) : byPoints;
      };

  final Batch batch;
  final Source source;

  /** When its record was written, epoch ms. */
  private long writtenMs;

  /** Time of its first point, epoch ms. */
  private long pointsMs;

  private boolean hasLeft;

  Turn(Batch batch, Source source) {
    this.batch = batch;
    this.source = source;
    writtenMs = batch.writtenMs();
    pointsMs = batch.firstMs();
  }

  private static int compareByWriting(Turn a, Turn b) {
    int byWriting = Long.compare(a.writtenMs, b.writtenMs);
    if (byWriting != 0) {
      return byWriting;
    }
    int bySource = a.batch.source().compareTo(b.batch.source());
    return bySource == 0 ? Long.compare(a.batch.sequence(), b.batch.sequence()) : bySource;
  }

  /**
   * Puts it behind one that came before it in its partition and waits.
   *
   * @param skewMs one that was written so long before goes first whatever its points
   */
  void follow(Turn before, long skewMs) {
    writtenMs = Math.max(writtenMs, before.writtenMs);
    if (writtenMs - before.writtenMs <= skewMs) {
      pointsMs = Math.max(pointsMs, before.pointsMs);
    }
  }

  long writtenMs() {
    return writtenMs;
  }

  void leave() {
    hasLeft = true;
  }

  boolean hasLeft() {
    return hasLeft;
  }
}
