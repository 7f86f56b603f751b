package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Which points of a list came from which source record. The bytes are varints: the disorder of the
 * partition ({@link SourceStreamTime}), then for each record the differences of its offset and of
 * its stream time from the record before, and its number of points.
 */
public final class SourceRecords {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private long offset;
  private long streamTimeMs;
  private int points;

  /** Receives the points of each record. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives one record.
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

  /** Adds a point to the current record. */
  public void point() {
    points++;
  }

  /** The bytes of all records. */
  public byte[] toBytes(long disorderMs) {
    end();
    ByteBuffer all = ByteBuffer.allocate(ByteUtils.sizeOfVarlong(disorderMs) + bytes.size());
    ByteUtils.writeVarlong(disorderMs, all);
    return all.put(bytes.toByteArray()).array();
  }

  private void end() {
    if (points > 0) {
      write(points);
      points = 0;
    }
  }

  private void write(long number) {
    try {
      ByteUtils.writeVarlong(number, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
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
      sink.record(offset, streamTimeMs, List.copyOf(points.subList(from, until)));
      from = until;
    }
    return new Progress(offset, streamTimeMs, disorderMs);
  }
}
