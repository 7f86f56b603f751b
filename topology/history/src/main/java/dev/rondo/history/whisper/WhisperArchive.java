package dev.rondo.history.whisper;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The slots of one archive of a Whisper file, the ring unrolled. A slot is named by its start, as
 * in Graphite.
 *
 * @param stepS length of a slot, s
 * @param firstS start of the oldest slot, epoch s; 0: no slot is known
 * @param values one a slot, NaN where unknown
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WhisperArchive(long stepS, long firstS, double[] values) {
  static final int POINT_BYTES = 12;

  /**
   * Reads the ring. A point is of this round if slot n has the time of slot 0 plus n steps;
   * otherwise its time differs by whole rounds.
   *
   * <pre>
   *   4 slots of 10 s   | 40 | 50 | 20 | 30 |     slots 20, 30, 40 and 50
   *                     | 40 | 50 |  0 |-10 |     slots 40 and 50: the others are of an older round
   * </pre>
   *
   * @param ring its bytes: points of time, 4 bytes, and value, 8 bytes
   * @param nowS slots that end later are not over, and left out
   */
  static WhisperArchive read(ByteBuffer ring, long stepS, long nowS) {
    int size = ring.remaining() / POINT_BYTES;
    long baseS = Integer.toUnsignedLong(ring.getInt(ring.position()));
    long newestS = baseS == 0 ? 0 : newestS(ring, size, baseS, stepS, nowS);
    double[] values = new double[size];
    Arrays.fill(values, Double.NaN);
    if (newestS == 0) {
      return new WhisperArchive(stepS, 0, values);
    }
    long firstS = newestS - (size - 1) * stepS;
    for (int n = 0; n < size; n++) {
      long timeS = timeS(ring, n);
      double value = ring.getDouble(ring.position() + n * POINT_BYTES + 4);
      if (timeS >= firstS
          && timeS <= newestS
          && isInPlace(timeS, n, size, baseS, stepS)
          && Double.isFinite(value)) {
        values[(int) ((timeS - firstS) / stepS)] = value;
      }
    }
    return new WhisperArchive(stepS, firstS, values);
  }

  /** Start of the newest slot that has a point and is over; 0: none. */
  private static long newestS(ByteBuffer ring, int size, long baseS, long stepS, long nowS) {
    long newestS = 0;
    for (int n = 0; n < size; n++) {
      long timeS = timeS(ring, n);
      if (timeS > newestS && timeS + stepS <= nowS && isInPlace(timeS, n, size, baseS, stepS)) {
        newestS = timeS;
      }
    }
    return newestS;
  }

  private static long timeS(ByteBuffer ring, int n) {
    return Integer.toUnsignedLong(ring.getInt(ring.position() + n * POINT_BYTES));
  }

  private static boolean isInPlace(long timeS, int n, int size, long baseS, long stepS) {
    return timeS % stepS == 0 && Math.floorMod((timeS - baseS) / stepS - n, (long) size) == 0;
  }

  boolean isEmpty() {
    return firstS == 0;
  }

  /** Start of the newest slot, epoch s. */
  long newestS() {
    return firstS + (values.length - 1) * stepS;
  }

  /** Value of the slot that starts at {@code startS}, a multiple of the step; NaN: unknown. */
  double at(long startS) {
    long n = (startS - firstS) / stepS;
    return startS < firstS || n >= values.length ? Double.NaN : values[(int) n];
  }
}
