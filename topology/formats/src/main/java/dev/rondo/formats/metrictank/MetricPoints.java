package dev.rondo.formats.metrictank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Iterates over the MetricPoints of a record, all of the same size, little endian.
 *
 * <pre>
 *   0          16        24             28             32
 *   | id       | value   | time, s      | organisation |     the organisation is optional
 * </pre>
 */
final class MetricPoints {
  private static final byte ONE = 2;
  private static final byte ONE_WITHOUT_ORGANISATION = 3;
  private static final byte SEVERAL = 5;
  private static final int ID_BYTES = 16;
  private static final int VALUE_AT = 16;
  private static final int TIME_AT = 24;
  private static final int BYTES = 32;
  private static final int BYTES_WITHOUT_ORGANISATION = 28;
  private static final long SECOND_MS = 1000;

  private final ByteBuffer bytes;
  private final int size;
  private int at;

  /** Iterates over a record for which {@link #areIn} is true. */
  MetricPoints(byte[] record) {
    int header = record[0] == SEVERAL ? 2 : 1;
    this.bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    this.size = size(record.length < header ? -1 : record[header - 1]);
    this.at = header - size;
  }

  /** Whether the first byte of a record marks MetricPoints. */
  static boolean areIn(byte[] record) {
    return record.length > 0 && (record[0] == SEVERAL || size(record[0]) > 0);
  }

  /** Whether a record consists of MetricPoints only. */
  static boolean areAllOf(byte[] record) {
    if (!areIn(record)) {
      return false;
    }
    int content = record.length - (record[0] == SEVERAL ? 2 : 1);
    int size = new MetricPoints(record).size;
    return size > 0 && content > 0 && (record[0] == SEVERAL ? content % size : content - size) == 0;
  }

  /** Bytes of a point; 0 for an unknown format. */
  private static int size(int format) {
    return switch (format) {
      case ONE -> BYTES;
      case ONE_WITHOUT_ORGANISATION -> BYTES_WITHOUT_ORGANISATION;
      default -> 0;
    };
  }

  /** Moves to the next point; false if no complete one is left. */
  boolean next() {
    at += size;
    return size > 0 && bytes.capacity() - at >= size;
  }

  /** Number of bytes after the last complete point. */
  int remaining() {
    return bytes.capacity() - at;
  }

  byte[] id() {
    return Arrays.copyOfRange(bytes.array(), at, at + ID_BYTES);
  }

  double value() {
    return bytes.getDouble(at + VALUE_AT);
  }

  /** Epoch ms. */
  long tMs() {
    return Integer.toUnsignedLong(bytes.getInt(at + TIME_AT)) * SECOND_MS;
  }
}
