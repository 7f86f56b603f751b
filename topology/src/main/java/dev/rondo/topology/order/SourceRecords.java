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
 * Which points of a list came in which source record: of each record how many points, and how much
 * later than the one before it was written, ms; two numbers of variable length. The first tells its
 * time itself.
 */
public final class SourceRecords {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private long writtenMs;
  private int points;

  /** Takes the points of a record. */
  @FunctionalInterface
  public interface Sink {
    /**
     * One record.
     *
     * @param writtenMs when it was written, epoch ms
     */
    void record(long writtenMs, List<Point> points);
  }

  /** A record begins, written at that time; the one before it has all its points. */
  public void begin(long writtenMs) {
    end();
    write(writtenMs - this.writtenMs);
    this.writtenMs = writtenMs;
  }

  /** It has one more point. */
  public void point() {
    points++;
  }

  /** Of all records. */
  public byte[] toBytes() {
    end();
    return bytes.toByteArray();
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

  /** Hands on the points, record by record. */
  static void forEach(byte[] records, List<Point> points, Sink sink) {
    ByteBuffer in = ByteBuffer.wrap(records);
    long writtenMs = 0;
    int from = 0;
    while (in.hasRemaining()) {
      writtenMs += ByteUtils.readVarlong(in);
      int until = from + (int) ByteUtils.readVarlong(in);
      sink.record(writtenMs, List.copyOf(points.subList(from, until)));
      from = until;
    }
  }
}
