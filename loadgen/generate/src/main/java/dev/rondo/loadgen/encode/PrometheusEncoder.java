package dev.rondo.loadgen.encode;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Template;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.xerial.snappy.Snappy;

/**
 * Prometheus remote write 1.0, a snappy block.
 *
 * <pre>
 *   WriteRequest 1 TimeSeries (repeated)
 *   TimeSeries   1 Label labels (repeated)   2 Sample samples (repeated)
 *   Label        1 string name               2 string value
 *   Sample       1 double value              2 int64 timestamp, ms
 * </pre>
 */
final class PrometheusEncoder implements Encoder {
  private static final int VALUE_BYTES = 1 + Double.BYTES;

  private final Template name;
  private final Template host;
  private final SeriesTexts labels;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream request = CodedOutputStream.newInstance(bytes);

  PrometheusEncoder(Fleet fleet) {
    this.name = new Template(Names.measurement(fleet.run()) + "." + Names.metric());
    this.host = fleet.machine();
    this.labels = fleet.texts(this::labels);
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    try {
      writeSeries(labels.of(series, generation), tMs, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the buffer is in memory
    }
  }

  private void writeSeries(byte[] labels, long tMs, double value) throws IOException {
    int sample = VALUE_BYTES + CodedOutputStream.computeInt64Size(2, tMs);
    writeHeader(request, 1, labels.length + headerBytes(sample) + sample);
    request.writeRawBytes(labels);
    writeHeader(request, 2, sample);
    request.writeDouble(1, value);
    request.writeInt64(2, tMs);
  }

  private static void writeHeader(CodedOutputStream to, int field, int bytes) throws IOException {
    to.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    to.writeUInt32NoTag(bytes);
  }

  private static int headerBytes(int bytes) {
    return 1 + CodedOutputStream.computeUInt32SizeNoTag(bytes);
  }

  private byte[] labels(int machine, int metric, long generation) {
    var labels = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(labels);
    try {
      writeLabel(out, "__name__", name.fill(machine, metric, generation));
      writeLabel(out, "host", host.fill(machine, metric, generation));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the buffer is in memory
    }
    return labels.toByteArray();
  }

  private static void writeLabel(CodedOutputStream out, String key, byte[] value)
      throws IOException {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    writeHeader(
        out, 1, headerBytes(name.length) + name.length + headerBytes(value.length) + value.length);
    out.writeByteArray(1, name);
    out.writeByteArray(2, value);
  }

  @Override
  public byte[] take() {
    try {
      request.flush();
      byte[] record = Snappy.compress(bytes.toByteArray());
      bytes.reset();
      return record;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
