package dev.rondo.topology.consolidate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Until when the positions of a segment hold values in PostgreSQL that their series does not know
 * of any more: those of a former series of the position, and its own of before a replay or in
 * archives that are gone.
 *
 * <pre>
 *   position 3   |── a ──|      |──── b ────╎ replay, b is rewound
 *                        └ previousUntil      └ ownUntil
 * </pre>
 */
final class PositionHistory {
  /** Nobody has told anything. */
  static final long NEVER = Long.MIN_VALUE;

  private final long[] previousUntilMs;
  private final long[] ownUntilMs;

  PositionHistory(int width) {
    previousUntilMs = new long[width];
    ownUntilMs = new long[width];
    Arrays.fill(previousUntilMs, NEVER);
    Arrays.fill(ownUntilMs, NEVER);
  }

  /** End of the last slot that former series of the position told, epoch ms. */
  long previousUntilMs(int series) {
    return previousUntilMs[series];
  }

  /** End of the last slot that its series told and does not know of any more, epoch ms. */
  long ownUntilMs(int series) {
    return ownUntilMs[series];
  }

  /** The series forgets what it told up to {@code lastEndMs}, but stays. */
  void rewind(int series, long lastEndMs) {
    ownUntilMs[series] = Math.max(ownUntilMs[series], lastEndMs);
  }

  /** The series leaves; it told slots up to {@code lastEndMs}. */
  void leave(int series, long lastEndMs) {
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

  /** Reads what {@link #write} wrote, beside what is known already. */
  void read(DataInput in) throws IOException {
    int known = in.readInt();
    for (int n = 0; n < known; n++) {
      int series = in.readInt();
      previousUntilMs[series] = Math.max(previousUntilMs[series], in.readLong());
      ownUntilMs[series] = Math.max(ownUntilMs[series], in.readLong());
    }
  }
}
