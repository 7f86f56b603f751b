package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Maps the points of a list to their source records. The bytes are varints: the disorder of the
 * partition ({@link SourceStreamTime}), then for each record its offset and stream time as
 * differences from the record before, and its number of points. A last record without points holds
 * the offset up to which the partition is decoded.
 */
public final class SourceRecords {
  /** Most bytes of a varint. */
  private static final int NUMBER_BYTES = 10;

  private ByteBuffer bytes = ByteBuffer.allocate(64);
  private long offset;
  private long streamTimeMs;
  private int points;

  /** Receives source records. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives the points of one record.
     *
     * @param streamTimeMs newest record time of its partition up to this record, epoch ms
     */
    void record(long offset, long streamTimeMs, List<Point> points);
  }

  /**
   * Starts a record and ends the one before it.
   *
   * @param streamTimeMs newest record time of its partition up to this record, epoch ms
   */
  public void begin(long offset, long streamTimeMs) {
    end();
    write(offset - this.offset);
    write(streamTimeMs - this.streamTimeMs);
    this.offset = offset;
    this.streamTimeMs = streamTimeMs;
  }

  /** Counts a point of the current record. */
  public void point() {
    points++;
  }

  /**
   * Ends the records: the partition is decoded up to {@code progress}, and all its points before
   * are in this list or an earlier one.
   */
  public void reach(Progress progress) {
    begin(progress.position(), progress.streamTimeMs());
    write(0);
  }

  public byte[] toBytes(long disorderMs) {
    end();
    ByteBuffer all = ByteBuffer.allocate(ByteUtils.sizeOfVarlong(disorderMs) + bytes.position());
    ByteUtils.writeVarlong(disorderMs, all);
    return all.put(bytes.flip()).array();
  }

  private void end() {
    if (points > 0) {
      write(points);
      points = 0;
    }
  }

  private void write(long number) {
    if (bytes.remaining() < NUMBER_BYTES) {
      bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
    }
    ByteUtils.writeVarlong(number, bytes);
  }

  /** Passes the points to {@code sink}, record by record. Returns the progress after the last. */
  static Progress forEach(byte[] records, List<Point> points, Sink sink) {
    ByteBuffer in = ByteBuffer.wrap(records);
    long disorderMs = ByteUtils.readVarlong(in);
    long offset = 0;
    long streamTimeMs = 0;
    int from = 0;
    while (in.hasRemaining()) {
      offset += ByteUtils.readVarlong(in);
      streamTimeMs += ByteUtils.readVarlong(in);
      int until = from + (int) ByteUtils.readVarlong(in);
      if (until > from) {
        sink.record(offset, streamTimeMs, part(points, from, until));
      }
      from = until;
    }
    return new Progress(offset, streamTimeMs, disorderMs);
  }

  /** Returns the position of the first record, and the newest record time up to it. */
  static Progress first(byte[] records) {
    ByteBuffer in = ByteBuffer.wrap(records);
    long disorderMs = ByteUtils.readVarlong(in);
    return new Progress(ByteUtils.readVarlong(in), ByteUtils.readVarlong(in), disorderMs);
  }

  /** Returns a copy, so that a buffered batch does not retain the points of others. */
  private static List<Point> part(List<Point> points, int from, int until) {
    return until - from == 1 ? List.of(points.get(from)) : List.copyOf(points.subList(from, until));
  }
}
