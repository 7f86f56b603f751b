package dev.rondo.formats.prometheus;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes protobuf messages of remote write field by field, including invalid ones. */
final class WriteRequest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private WriteRequest with(Fields fields) {
    try {
      fields.write(out);
      out.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A message in a field of this one. */
  WriteRequest message(int field, WriteRequest message) {
    return bytes(field, message.toBytes());
  }

  WriteRequest bytes(int field, byte[] content) {
    return with(out -> out.writeBytes(field, ByteString.copyFrom(content)));
  }

  WriteRequest text(int field, String text) {
    return with(out -> out.writeString(field, text));
  }

  WriteRequest number(int field, long number) {
    return with(out -> out.writeInt64(field, number));
  }

  /** A series with {@code samples}: values by epoch ms. */
  WriteRequest series(Map<String, String> labels, Map<Long, Double> samples) {
    return message(1, timeSeries(labels, samples));
  }

  static WriteRequest timeSeries(Map<String, String> labels, Map<Long, Double> samples) {
    WriteRequest series = new WriteRequest();
    labels.forEach((name, value) -> series.label(name, value));
    samples.forEach((tMs, value) -> series.sample(tMs, value));
    return series;
  }

  WriteRequest label(String name, String value) {
    return message(1, new WriteRequest().text(1, name).text(2, value));
  }

  WriteRequest sample(long tMs, double value) {
    return message(2, new WriteRequest().with(out -> out.writeDouble(1, value)).number(2, tMs));
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
