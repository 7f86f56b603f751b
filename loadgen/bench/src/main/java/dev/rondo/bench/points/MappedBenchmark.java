package dev.rondo.bench.points;

import com.google.protobuf.CodedOutputStream;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.mapping.MappedSource;
import dev.rondo.formats.mapping.Mapping;
import dev.rondo.formats.mapping.NamePattern;
import dev.rondo.formats.mapping.Path;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in Avro and Protobuf with a mapping: a record of 500 samples with a name each,
 * and a host.
 *
 * <pre>
 *   benchmark   ns a point   B allocated a point
 *   avro               215                   374
 *   protobuf             ?                   639
 *
 *   ./rondo bench points MappedBenchmark -f 1 -wi 4 -w 1 -i 5 -r 1
 *   OpenJDK 17.0.15, 2 cores of an AMD EPYC, shared with other busy processes: the bytes are exact.
 *   Protobuf's time is open: two runs of one fork gave 0.9 and 1.9 of Avro's, with errors up to the
 *   size of the values.
 * </pre>
 */
public class MappedBenchmark extends NanosBenchmark {
  private static final int POINTS = 500;

  private static final String AVRO =
      """
      {"type":"record","name":"Batch","fields":[
        {"name":"host","type":"string"},
        {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
        {"name":"samples","type":{"type":"array","items":{"type":"record","name":"Sample","fields":[
          {"name":"metric","type":"string"},
          {"name":"value","type":"double"}]}}}]}
      """;

  private static final String PROTOBUF =
      """
      syntax = "proto3";
      message Batch {
        string host = 1;
        int64 at = 2;
        repeated Sample samples = 3;
      }
      message Sample {
        string metric = 1;
        double value = 2;
      }
      """;

  private Decoder avroDecoder;
  private byte[] avroRecord;
  private Decoder protobufDecoder;
  private byte[] protobufRecord;

  /** Makes the decoders and the records. */
  @Setup
  public void write() throws IOException {
    avroDecoder = decoder(Format.AVRO, AVRO);
    avroRecord = avroRecord();
    protobufDecoder = decoder(Format.PROTOBUF, PROTOBUF);
    protobufRecord = protobufRecord();
  }

  private static Decoder decoder(Format format, String schema) {
    Mapping mapping =
        new Mapping(
            NamePattern.parse("shop.{samples[].metric}"),
            List.of(Mapping.tag(Path.parse("host"))),
            Optional.of(Path.parse("at")),
            List.of(Mapping.value(Path.parse("samples[].value"))));
    var file =
        new SchemaFile(
            new Schema("schema", format.compiler().type(), schema, List.of()), "", false);
    return format.decoder(
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            NameRules.NONE,
            Optional.of(new MappedSource(mapping, Optional.of(file)))));
  }

  private static byte[] avroRecord() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
    out.writeString("web01");
    out.writeLong(1_700_000_000_000L);
    out.writeArrayStart();
    out.setItemCount(POINTS);
    for (int n = 0; n < POINTS; n++) {
      out.startItem();
      out.writeString(metric(n));
      out.writeDouble(value(n));
    }
    out.writeArrayEnd();
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] protobufRecord() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeString(1, "web01");
    out.writeInt64(2, 1_700_000_000_000L);
    for (int n = 0; n < POINTS; n++) {
      ByteArrayOutputStream sample = new ByteArrayOutputStream();
      CodedOutputStream fields = CodedOutputStream.newInstance(sample);
      fields.writeString(1, metric(n));
      fields.writeDouble(2, value(n));
      fields.flush();
      out.writeByteArray(3, sample.toByteArray());
    }
    out.flush();
    return bytes.toByteArray();
  }

  private static String metric(int n) {
    return "cpu.core%03d.idle".formatted(n);
  }

  private static double value(int n) {
    return n * 1.371;
  }

  /** Record → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void avro(Blackhole points) {
    avroDecoder.decode(avroRecord, 0, new Consumed(points));
  }

  /** Record → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void protobuf(Blackhole points) {
    protobufDecoder.decode(protobufRecord, 0, new Consumed(points));
  }
}
