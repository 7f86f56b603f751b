package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.HashMap;
import java.util.Map;

/** Where a source partition is, and what waits of it. */
final class Source {
  /** Whether it is read still. */
  final boolean isRead;

  /** The last turn that waits, by ident. */
  private final Map<String, Turn> lasts = new HashMap<>();

  /** All that was written up to then has arrived, epoch ms. */
  private long completeMs = Long.MIN_VALUE;

  /** For how long sources had been listened to when that last became later, ms. */
  private long advancedMs;

  Source(boolean isRead, long listenedMs) {
    this.isRead = isRead;
    this.advancedMs = listenedMs;
  }

  /** All that was written up to {@code untilMs} has arrived. */
  void complete(long untilMs, long listenedMs) {
    if (untilMs > completeMs) {
      completeMs = untilMs;
      advancedMs = listenedMs;
    }
  }

  long completeMs() {
    return completeMs;
  }

  long advancedMs() {
    return advancedMs;
  }

  /** The turn of its newest batch: behind all of the same series that wait. */
  Turn turn(Batch batch, long skewMs) {
    Turn turn = new Turn(batch, this);
    for (Point point : batch.points()) {
      Turn before = lasts.put(point.getIdent(), turn);
      if (before != null) {
        turn.follow(before, skewMs);
      }
    }
    return turn;
  }

  /** It does not wait any more. */
  void leave(Turn turn) {
    for (Point point : turn.batch.points()) {
      lasts.remove(point.getIdent(), turn);
    }
  }
}
