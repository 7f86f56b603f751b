package dev.rondo.formats.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;

/**
 * Decodes Prometheus remote write 1.0: a WriteRequest as a snappy block, a zstd frame or plain,
 * detected record by record. The label {@code __name__} is the measurement, the others are labels.
 * Stale markers are dropped as {@code no-value}, native histograms as {@code unsupported}; metadata
 * and exemplars are ignored. The byte range of every point and drop is the whole record.
 */
public final class PrometheusDecoder implements Decoder {
  /** The NaN that marks the end of a series in Prometheus. */
  static final long STALE_MARKER = 0x7ff0000000000002L;

  private static final int TIMESERIES = Fields.FIRST_TEXT;
  private static final int SYMBOLS = 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int TIMESERIES_OF_2 = 5 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final Naming naming;
  private final RecordLimits limits;
  private final Message message;
  private final Series series = new Series();

  /** Creates a decoder; {@code naming} must not be shared. */
  public PrometheusDecoder(Naming naming, RecordLimits limits) {
    this.naming = naming;
    this.limits = limits;
    this.message = new Message(limits);
  }

  /** Whether the bytes look like a WriteRequest: their first series has a name. */
  public static boolean recognises(byte[] value) {
    try {
      Message message = new Message(RecordLimits.DEFAULT);
      message.read(value);
      CodedInputStream in = message.stream();
      if (in.readTag() != TIMESERIES) {
        return false;
      }
      Fields.enter(in);
      Series series = new Series();
      series.read(in, RecordLimits.DEFAULT);
      return !series.name().isEmpty();
    } catch (DroppedException | IOException e) {
      return false;
    }
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    try {
      message.read(value);
      request(message.stream(), value.length, sink);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, value.length);
    }
  }

  private void request(CodedInputStream in, int bytes, PointSink sink) throws DroppedException {
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case TIMESERIES -> series(in, bytes, sink);
          case SYMBOLS, TIMESERIES_OF_2 ->
              throw new DroppedException(
                  DropReason.UNSUPPORTED,
                  "remote write 2.0: set the sender to 1.0, prometheus.WriteRequest");
          default -> Fields.skip(in, tag);
        }
      }
    } catch (IOException e) {
      throw DroppedException.unreadable(
          "WriteRequest ends at byte %d of %d: %s"
              .formatted(in.getTotalBytesRead(), message.length(), Excerpt.of(e.getMessage())));
    }
  }

  /** Decodes one series; an unreadable series is dropped alone. */
  private void series(CodedInputStream in, int bytes, PointSink sink)
      throws IOException, DroppedException {
    int length = in.readRawVarint32();
    int outer = in.pushLimit(length);
    int end = in.getTotalBytesRead() + length;
    try {
      series.read(in, limits);
      points(bytes, sink);
    } catch (IOException e) {
      sink.drop(
          DropReason.UNREADABLE,
          "series at byte %d: %s".formatted(end - length, Excerpt.of(e.getMessage())),
          0,
          bytes);
    }
    in.popLimit(outer);
    in.skipRawBytes(end - in.getTotalBytesRead());
  }

  private void points(int bytes, PointSink sink) {
    for (int n = 0; n < series.histograms(); n++) {
      sink.drop(
          DropReason.UNSUPPORTED,
          "native histogram of '" + Excerpt.of(series.name()) + "'",
          0,
          bytes);
    }
    if (series.samples() == 0) {
      return;
    }
    try {
      samples(ident(), bytes, sink);
    } catch (DroppedException e) {
      for (int n = 0; n < series.samples(); n++) {
        sink.drop(e.reason(), e.getMessage(), 0, bytes);
      }
    }
  }

  private String ident() throws DroppedException {
    if (series.name().isEmpty()) {
      throw DroppedException.unreadable("series without label __name__");
    }
    return naming.ident(series.name(), "", series.labels());
  }

  private void samples(String ident, int bytes, PointSink sink) {
    for (int n = 0; n < series.samples(); n++) {
      long tMs = series.tMs(n);
      double value = series.value(n);
      if (Double.doubleToRawLongBits(value) == STALE_MARKER) {
        sink.drop(DropReason.NO_VALUE, "stale marker of '" + Excerpt.of(ident) + "'", 0, bytes);
      } else if (tMs <= 0) {
        sink.drop(
            DropReason.UNREADABLE,
            "time " + tMs + " of '" + Excerpt.of(ident) + "' is not after 1970",
            0,
            bytes);
      } else {
        sink.point(ident, tMs, value, 0, bytes);
      }
    }
  }
}
