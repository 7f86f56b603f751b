package dev.rondo.formats.nativepoints;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.schemas.PointBatchWriter;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Decodes Rondo's native format: a {@code PointBatch} in Avro's single-object encoding, as {@link
 * PointBatchWriter} writes it. A record that is broken anywhere emits no point; in a valid record,
 * a point with an invalid ident is dropped alone. The byte range of every point and drop is the
 * whole record.
 */
public final class NativeDecoder implements Decoder {
  private static final byte[] HEADER = PointBatchWriter.header();

  /**
   * Most bytes of the idents of a record beyond its length: a small record could expand to huge
   * idents.
   */
  private static final long MAX_IDENT_BYTES = 16L * 1024 * 1024;

  private final IdentReader idents;
  private final IdentBytes ident = new IdentBytes();
  private BinaryDecoder reader;

  /**
   * @param naming must not be shared; builds idents from those that are not canonical
   * @param identMaxBytes longest ident, UTF-8
   * @param identMaxTags maximum number of tags
   */
  public NativeDecoder(Naming naming, int identMaxBytes, int identMaxTags) {
    this.idents = new IdentReader(naming, identMaxBytes, identMaxTags);
  }

  /** Whether the record has the magic bytes and the fingerprint of the format. */
  public static boolean recognises(byte[] value) {
    return value.length > HEADER.length
        && Arrays.equals(value, 0, HEADER.length, HEADER, 0, HEADER.length);
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    try {
      if (!recognises(value)) {
        throw DroppedException.unreadable("does not begin like a PointBatch");
      }
      check(open(value), value.length);
      emit(open(value), value.length, sink);
    } catch (EOFException e) {
      sink.drop(DropReason.UNREADABLE, "ends within its points", 0, value.length);
    } catch (IOException e) {
      sink.drop(DropReason.UNREADABLE, "not a PointBatch: " + e.getMessage(), 0, value.length);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, value.length);
    }
  }

  private BinaryDecoder open(byte[] value) {
    reader =
        DecoderFactory.get()
            .binaryDecoder(value, HEADER.length, value.length - HEADER.length, reader);
    return reader;
  }

  /** Validates all bytes before any point is emitted. */
  private static void check(BinaryDecoder in, int length) throws IOException, DroppedException {
    long t = in.readLong();
    long identBytes = 0;
    int previous = 0;
    for (long points = block(in); points > 0; points = block(in)) {
      for (long point = 0; point < points; point++) {
        int head = bounded(in.readLong(), previous, "bytes kept of the previous ident");
        int tail =
            bounded(in.readLong(), previous - head, "bytes kept of the end of the previous ident");
        int middle = bounded(in.readLong(), in.remainingBytes(), "bytes of an ident");
        in.skipFixed(middle);
        previous = head + middle + tail;
        identBytes += previous;
        long dt = in.readLong();
        if (((t ^ (t + dt)) & (dt ^ (t + dt))) < 0) {
          throw DroppedException.unreadable("time overflows: %d and %d".formatted(t, dt));
        }
        in.skipFixed(Double.BYTES);
      }
    }
    if (!in.isEnd()) {
      throw DroppedException.unreadable(
          "%d bytes follow its points".formatted(in.remainingBytes()));
    }
    if (identBytes > MAX_IDENT_BYTES + length) {
      throw DroppedException.unreadable(
          "idents of %d bytes together, more than %d"
              .formatted(identBytes, MAX_IDENT_BYTES + length));
    }
  }

  /** Number of points in the next block of the array; 0 = end. */
  private static long block(BinaryDecoder in) throws IOException, DroppedException {
    long points = in.readLong();
    if (points >= 0) {
      return points;
    }
    in.readLong(); // the block's length in bytes follows a negative count
    if (points == Long.MIN_VALUE) {
      throw DroppedException.unreadable("%d points".formatted(points));
    }
    return -points;
  }

  private static int bounded(long number, int max, String what) throws DroppedException {
    if (number < 0 || number > max) {
      throw DroppedException.unreadable("%d %s, of %d".formatted(number, what, max));
    }
    return (int) number;
  }

  private void emit(BinaryDecoder in, int length, PointSink sink)
      throws IOException, DroppedException {
    long t = in.readLong();
    ident.clear();
    for (long points = block(in); points > 0; points = block(in)) {
      for (long point = 0; point < points; point++) {
        int head = (int) in.readLong();
        int tail = (int) in.readLong();
        int middle = (int) in.readLong();
        in.readFixed(ident.keep(head, tail, middle), head, middle);
        long tMs = t + in.readLong();
        double value = in.readDouble();
        try {
          sink.point(idents.of(ident), tMs, value, 0, length);
        } catch (DroppedException e) {
          sink.drop(e.reason(), e.getMessage(), 0, length);
        }
      }
    }
  }
}
