package dev.rondo.formats.fuzz;

import dev.rondo.formats.Found;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.mapping.MappedSource;
import dev.rondo.formats.mapping.Mapping;
import dev.rondo.formats.mapping.NamePattern;
import dev.rondo.formats.mapping.Path;
import dev.rondo.formats.metrictank.Messages;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.schemas.PointBatchWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Real records of each format, and the settings of a source that reads them. */
final class SampleRecords {
  /** Low enough for records of a megabyte to reach every bound. */
  static final RecordLimits LIMITS = new RecordLimits(4 << 20, 100_000, 5_000);

  static final int IDENT_MAX_BYTES = 1024;

  /** What happened, tags and data together. */
  static final int EVENT_MAX_CHARACTERS = 1_000 + 10_000 + 65_536;

  private SampleRecords() {}

  static List<byte[]> of(Format format) {
    return switch (format) {
      case NATIVE -> List.of(batch());
      case METRICTANK -> metrictank();
      case OTLP ->
          files("otlp/cumulative.bin", "otlp/delta.bin", "otlp/delta.json", "otlp/cumulative.json");
      case PROMETHEUS ->
          files(
              "prometheus/write-request.plain",
              "prometheus/write-request.snappy",
              "prometheus/write-request.zstd");
      case JSON ->
          files(
              "json/collectd.json",
              "json/jsonline.json",
              "json/opentsdb.json",
              "json/plain.json",
              "json/prometheus-adapter.json",
              "json/telegraf-batch.json",
              "json/telegraf-single.json",
              "json/vector.json");
      case PUTVAL -> files("putval/putval.txt");
      case INFLUX -> files("influx/telegraf.txt");
      case GRAPHITE -> files("graphite/telegraf-tags.txt", "graphite/telegraf.txt");
      case AVRO -> files("schemaregistry/avro-types.bin");
      case PROTOBUF -> files("schemaregistry/protobuf-types.bin");
      case EVENTS -> files("json/events.json", "json/events.txt");
      case AUTO ->
          Arrays.stream(Format.values())
              .filter(each -> each != Format.AUTO && each.holdsPoints())
              .flatMap(each -> of(each).stream())
              .toList();
    };
  }

  private static byte[] batch() {
    PointBatchWriter writer = new PointBatchWriter();
    for (int n = 0; n < 20; n++) {
      writer.add("shop.cpu" + n % 5 + ".usage;dc=ams;host=web0" + n % 3, 1000 + n, n);
    }
    return writer.take();
  }

  private static List<byte[]> metrictank() {
    List<byte[]> records = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      var series = new Messages.Sent("shop.cpu" + n, List.of("dc=ams", "host=web0" + n));
      records.add(series.data(1.5, 1_700_000_000));
      records.add(series.point(2.5, 1_700_000_010));
    }
    return records;
  }

  private static List<byte[]> files(String... names) {
    return Stream.of(names).map(name -> Found.golden(Found.class, name)).toList();
  }

  static DecoderSettings settings(Format format) {
    return new DecoderSettings(
        IDENT_MAX_BYTES,
        64,
        Optional.empty(),
        Optional.empty(),
        LIMITS,
        NameRules.NONE,
        format.needsSchema() ? Optional.of(mapped(format)) : Optional.empty());
  }

  private static MappedSource mapped(Format format) {
    boolean isAvro = format == Format.AVRO;
    String file = "schemaregistry/types." + (isAvro ? "avsc" : "proto");
    String schema = new String(Found.golden(Found.class, file), StandardCharsets.UTF_8);
    Schema known = new Schema(file, format.compiler().type(), schema, List.of()); // by any id
    Schemas schemas = id -> known;
    Stream<String> values =
        isAvro ? Stream.of("matrix[][]") : Stream.of("counts[]", "levels", "load?", "up");
    var mapping =
        new Mapping(
            NamePattern.parse(isAvro ? "{id}" : "{error}"),
            List.of(),
            Optional.of(Path.parse(isAvro ? "millis" : "day")),
            values.map(Path::parse).map(Mapping::value).toList());
    return new MappedSource(mapping, Optional.of(schemas));
  }
}
