package dev.rondo.topology.segment;

import java.util.BitSet;
import java.util.function.IntConsumer;

/** Series that may have moved to another partition since their location was last emitted. */
final class UnconfirmedLocations {
  private final BitSet series = new BitSet();

  /** When they became unconfirmed, by the monotonic clock, ms. */
  private long sinceMs;

  void addAll(int width, long nowMs) {
    series.set(0, width);
    sinceMs = nowMs;
  }

  void confirm(int one) {
    series.clear(one);
  }

  /** Confirms each series with a point since, and passes it to {@code here}. */
  void confirm(LastSeen lastSeen, IntConsumer here) {
    for (int s = series.nextSetBit(0); s >= 0; s = series.nextSetBit(s + 1)) {
      if (lastSeen.clockMs(s) > sinceMs) {
        series.clear(s);
        here.accept(s);
      }
    }
  }
}
