package dev.rondo.formats.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;
import java.util.Arrays;

/**
 * One TimeSeries of a WriteRequest. Reused for each series.
 *
 * <pre>
 *   TimeSeries   1 Label labels (repeated)   2 Sample samples (repeated)   3 exemplars   4 histograms
 *   Label        1 string name               2 string value
 *   Sample       1 double value              2 int64 timestamp, ms
 * </pre>
 */
final class Series {
  private static final String NAME = "__name__";
  private static final int LABELS = 1;
  private static final int SAMPLES = 2;
  private static final int HISTOGRAMS = 4;

  /** The upper limit of {@code ident.max.tags}; more would make sorting on insertion slow. */
  private static final int MAX_LABELS = 1000;

  private static final int MAX_KEPT_SAMPLES = 10_000;

  private final Labels labels = new Labels();
  private String name = "";
  private double[] values = new double[16];
  private long[] timesMs = new long[16];
  private int samples;
  private int histograms;

  /**
   * Reads up to the limit of {@code in}. Counts samples before it allocates memory: one can take
   * two bytes in a message, but sixteen here.
   *
   * @throws IOException if the bytes are not a TimeSeries
   * @throws DroppedException if it has more samples than a record may have
   */
  void read(CodedInputStream in, RecordLimits limits) throws IOException, DroppedException {
    labels.clear();
    name = "";
    samples = 0;
    histograms = 0;
    if (values.length > MAX_KEPT_SAMPLES) {
      values = new double[16];
      timesMs = new long[16];
    }
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      boolean isMessage = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      int field = isMessage ? WireFormat.getTagFieldNumber(tag) : 0;
      switch (field) {
        case LABELS -> readLabel(in);
        case SAMPLES -> {
          limits.checkPoints(samples + 1L);
          readSample(in);
        }
        default -> {
          histograms += field == HISTOGRAMS ? 1 : 0;
          Fields.skip(in, tag);
        }
      }
    }
  }

  private void readLabel(CodedInputStream in) throws IOException {
    int outer = Fields.enter(in);
    String key = "";
    String value = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case Fields.FIRST_TEXT -> key = in.readStringRequireUtf8();
        case Fields.SECOND_TEXT -> value = in.readStringRequireUtf8();
        default -> Fields.skip(in, tag);
      }
    }
    in.popLimit(outer);
    if (key.equals(NAME)) {
      name = value;
    } else {
      labels.put(key, value);
      if (labels.size() > MAX_LABELS) {
        throw new InvalidProtocolBufferException("more than " + MAX_LABELS + " labels");
      }
    }
  }

  private void readSample(CodedInputStream in) throws IOException {
    int outer = Fields.enter(in);
    double value = 0; // proto3 does not write 0
    long tMs = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case Fields.FIRST_DOUBLE -> value = in.readDouble();
        case Fields.SECOND_NUMBER -> tMs = in.readInt64();
        default -> Fields.skip(in, tag);
      }
    }
    in.popLimit(outer);
    if (samples == values.length) {
      values = Arrays.copyOf(values, 2 * samples);
      timesMs = Arrays.copyOf(timesMs, 2 * samples);
    }
    values[samples] = value;
    timesMs[samples] = tMs;
    samples++;
  }

  /** Value of the label {@code __name__}; empty if it is absent. */
  String name() {
    return name;
  }

  /** All other labels. */
  Labels labels() {
    return labels;
  }

  int samples() {
    return samples;
  }

  double value(int sample) {
    return values[sample];
  }

  /** Epoch ms. */
  long tMs(int sample) {
    return timesMs[sample];
  }

  /** Number of native histograms, which are not decoded. */
  int histograms() {
    return histograms;
  }
}
