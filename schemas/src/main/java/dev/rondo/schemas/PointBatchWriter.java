package dev.rondo.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Writes records of the native format: a {@link PointBatch} in Avro's single-object encoding,
 * encoded straight into bytes. Reusable for consecutive records; not thread-safe.
 *
 * <pre>
 *   writer.add("cpu.user;host=web01", 1_700_000_000_000L, 98.09);
 *   writer.add("cpu.idle;host=web01", 1_700_000_000_000L, 1.91);
 *   producer.send(new ProducerRecord&lt;&gt;("points", writer.take()));
 * </pre>
 */
public final class PointBatchWriter {
  /** Magic bytes and fingerprint of {@link PointBatch}, as text: the writer needs no Avro. */
  private static final byte[] HEADER = HexFormat.of().parseHex("c301" + "37426c7131a63e72");

  private static final byte[] NO_IDENT = {};

  /** Most bytes of an Avro number. */
  private static final int NUMBER_BYTES = 10;

  /** Space before the first point for base time and count, which are written last. */
  private static final int FRONT = HEADER.length + 2 * NUMBER_BYTES;

  private byte[] buffer = new byte[4096];
  private int end = FRONT;
  private byte[] lastIdent = NO_IDENT;
  private long baseMs;
  private int points;

  /** The first bytes of every record: two magic bytes, eight of the schema fingerprint. */
  public static byte[] header() {
    return HEADER.clone();
  }

  /**
   * Adds a point. Points of one series must be added in order of time.
   *
   * @param ident {@code name;k=v;k2=v2}, best with tags sorted by key
   * @param tMs epoch ms
   */
  public void add(String ident, long tMs, double value) {
    add(ident.getBytes(StandardCharsets.UTF_8), tMs, value);
  }

  /**
   * Adds a point whose ident is already encoded.
   *
   * @param ident UTF-8; must not change before {@link #take}
   */
  public void add(byte[] ident, long tMs, double value) {
    if (points == 0) {
      baseMs = tMs;
    }
    int mismatch = Arrays.mismatch(lastIdent, ident);
    int head = mismatch < 0 ? ident.length : mismatch;
    int tail = commonTail(lastIdent, ident, head);
    int middle = ident.length - head - tail;
    makeRoom(4 * NUMBER_BYTES + middle + Double.BYTES);
    end = putNumber(end, head);
    end = putNumber(end, tail);
    end = putNumber(end, middle);
    System.arraycopy(ident, head, buffer, end, middle);
    end += middle;
    end = putNumber(end, Math.subtractExact(tMs, baseMs));
    putDouble(value);
    lastIdent = ident;
    points++;
  }

  /** Length of the common suffix, without the first {@code head} bytes of either. */
  private static int commonTail(byte[] one, byte[] other, int head) {
    int max = Math.min(one.length, other.length) - head;
    int tail = 0;
    while (tail < max && one[one.length - 1 - tail] == other[other.length - 1 - tail]) {
      tail++;
    }
    return tail;
  }

  private void makeRoom(int bytes) {
    if (buffer.length - end < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, end + bytes));
    }
  }

  /** Avro's long: zigzag, then seven bits a byte, the lowest first. */
  private int putNumber(int at, long number) {
    long bits = (number << 1) ^ (number >> 63);
    int next = at;
    while ((bits & ~0x7fL) != 0) {
      buffer[next++] = (byte) (bits | 0x80);
      bits >>>= 7;
    }
    buffer[next++] = (byte) bits;
    return next;
  }

  private void putDouble(double value) {
    long bits = Double.doubleToRawLongBits(value);
    for (int n = 0; n < Double.BYTES; n++) {
      buffer[end++] = (byte) bits;
      bits >>>= Byte.SIZE;
    }
  }

  /** Number of points in the record so far. */
  public int points() {
    return points;
  }

  /** Upper bound of the length of the record so far; keep it below {@code max.message.bytes}. */
  public int bytes() {
    return end + 1;
  }

  /** Returns the record, empty if no point was added, and starts a new one. */
  public byte[] take() {
    int numbers = putNumber(HEADER.length, baseMs);
    numbers = points == 0 ? numbers : putNumber(numbers, points);
    byte[] record = new byte[numbers + end - FRONT + 1]; // the last byte, 0, ends the array
    System.arraycopy(HEADER, 0, record, 0, HEADER.length);
    System.arraycopy(buffer, HEADER.length, record, HEADER.length, numbers - HEADER.length);
    System.arraycopy(buffer, FRONT, record, numbers, end - FRONT);
    end = FRONT;
    lastIdent = NO_IDENT;
    baseMs = 0;
    points = 0;
    return record;
  }
}
