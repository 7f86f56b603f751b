package dev.rondo.topology.segment;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Up to when PostgreSQL holds values of each position that its open slots do not include. They come
 * from earlier series of the position, or from its present series: before a replay, in removed
 * archives, or written by a backfill.
 *
 * <pre>
 *   position 3   |── a ──|      |──── b ────╎ replay: b is rewound
 *                        └ previousUntil      └ ownUntil
 * </pre>
 */
final class PositionHistory {
  /** No such values. */
  static final long NEVER = Long.MIN_VALUE;

  private final long[] previousUntilMs;
  private final long[] ownUntilMs;

  PositionHistory(int width) {
    previousUntilMs = new long[width];
    ownUntilMs = new long[width];
    Arrays.fill(previousUntilMs, NEVER);
    Arrays.fill(ownUntilMs, NEVER);
  }

  /** End of the last slot with a value of an earlier series of the position, epoch ms. */
  long previousUntilMs(int series) {
    return previousUntilMs[series];
  }

  /** End of the last slot with a value that the open slots do not include, epoch ms. */
  long ownUntilMs(int series) {
    return ownUntilMs[series];
  }

  /**
   * Marks that a series keeps its position but loses its slots, the last of which ends at {@code
   * lastEndMs}.
   */
  void rewind(int series, long lastEndMs) {
    ownUntilMs[series] = Math.max(ownUntilMs[series], lastEndMs);
  }

  /** Marks that a series leaves its position; its last slot ends at {@code lastEndMs}. */
  void free(int series, long lastEndMs) {
    long untilMs = Math.max(ownUntilMs[series], lastEndMs);
    previousUntilMs[series] = Math.max(previousUntilMs[series], untilMs);
    ownUntilMs[series] = NEVER;
  }

  void write(DataOutput out) throws IOException {
    int known = 0;
    for (int series = 0; series < ownUntilMs.length; series++) {
      known += isKnown(series) ? 1 : 0;
    }
    out.writeInt(known);
    for (int series = 0; series < ownUntilMs.length; series++) {
      if (isKnown(series)) {
        out.writeInt(series);
        out.writeLong(previousUntilMs[series]);
        out.writeLong(ownUntilMs[series]);
      }
    }
  }

  private boolean isKnown(int series) {
    return previousUntilMs[series] != NEVER || ownUntilMs[series] != NEVER;
  }

  /** Reads the bytes of {@link #write}, and keeps later times already known. */
  void read(DataInput in) throws IOException {
    int known = in.readInt();
    for (int n = 0; n < known; n++) {
      int series = in.readInt();
      previousUntilMs[series] = Math.max(previousUntilMs[series], in.readLong());
      ownUntilMs[series] = Math.max(ownUntilMs[series], in.readLong());
    }
  }
}
