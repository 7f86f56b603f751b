package dev.rondo.formats.catalog;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.avro.AvroCompiler;
import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.json.EventDecoder;
import dev.rondo.formats.json.JsonDecoder;
import dev.rondo.formats.json.MappedJsonDecoder;
import dev.rondo.formats.mapping.MappedPoints;
import dev.rondo.formats.mapping.MappedSource;
import dev.rondo.formats.mapping.SchemaDecoder;
import dev.rondo.formats.metrictank.MetrictankDecoder;
import dev.rondo.formats.nativepoints.NativeDecoder;
import dev.rondo.formats.otlp.OtlpDecoder;
import dev.rondo.formats.prometheus.PrometheusDecoder;
import dev.rondo.formats.protobuf.ProtobufCompiler;
import dev.rondo.formats.putval.PutvalDecoder;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.formats.schemaregistry.UnframedDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The formats of sources. {@link #AUTO} tries them in this order, the strictest first. */
public enum Format {
  /** Rondo's native batches: Avro, many points per record. */
  NATIVE("native"),
  /** Metrictank: MetricData and MetricPoint, whose id an earlier MetricData defines. */
  METRICTANK("metrictank"),
  /** OpenTelemetry metrics, protobuf or JSON. */
  OTLP("otlp"),
  /** Remote write 1.0 of Prometheus: snappy, zstd or plain. */
  PROMETHEUS("prometheus"),
  /**
   * JSON objects of Telegraf, collectd and others, whose keys identify the dialect, or with a
   * mapping.
   */
  JSON("json"),
  /** collectd's lines {@code PUTVAL host/plugin/type interval=10 time:value[:value…]}. */
  PUTVAL("putval"),
  /** Lines {@code measurement[,tag=v…] field=v[,field=v…] [time]}. */
  INFLUX("influx"),
  /** Lines {@code path[;tag=v…] value time}; the default of detection. */
  GRAPHITE("graphite"),
  /** Avro with a schema from a registry or a file, and a mapping. */
  AVRO("avro"),
  /** Protobuf with a schema from a registry or a file, and a mapping. */
  PROTOBUF("protobuf"),
  /** Events, as JSON objects of Graphite's API or lines of text; not points. */
  EVENTS("events"),
  /** Detects the format of each record, among those with points and without a mapping. */
  AUTO("auto");

  private final String key;

  Format(String key) {
    this.key = key;
  }

  /** Returns the format with this {@link #key}; empty if there is none. */
  public static Optional<Format> of(String key) {
    return Arrays.stream(values()).filter(format -> format.key.equals(key)).findFirst();
  }

  /** Detects the format of a record: the first that recognises it, otherwise Graphite. */
  public static Format recognised(byte[] value) {
    for (Format format : values()) {
      if (format.recognises(value)) {
        return format;
      }
    }
    return GRAPHITE;
  }

  private boolean recognises(byte[] value) {
    return switch (this) {
      case NATIVE -> NativeDecoder.recognises(value);
      case METRICTANK -> MetrictankDecoder.recognises(value);
      case OTLP -> OtlpDecoder.recognises(Framing.unframed(value));
      case PROMETHEUS -> PrometheusDecoder.recognises(value);
      case JSON -> JsonDecoder.recognises(Framing.unframed(value));
      case PUTVAL -> PutvalDecoder.recognises(value);
      case INFLUX -> InfluxDecoder.recognises(value);
      case GRAPHITE, AVRO, PROTOBUF, EVENTS, AUTO -> false;
    };
  }

  /** Name in settings. */
  public String key() {
    return key;
  }

  /** Whether the unit of its times can be configured. */
  public boolean takesTimeUnit() {
    return switch (this) {
      case JSON, PUTVAL, INFLUX, GRAPHITE, AVRO, PROTOBUF, EVENTS, AUTO -> true;
      case NATIVE, METRICTANK, OTLP, PROMETHEUS -> false;
    };
  }

  public List<String> dialects() {
    return this == JSON ? JsonDecoder.dialects() : List.of();
  }

  /** Whether its records need a mapping, and a schema from a registry or a file. */
  public boolean needsSchema() {
    return compiler() != null;
  }

  /** Whether a mapping can describe its records. */
  public boolean takesMapping() {
    return this == JSON || needsSchema();
  }

  /** Returns the compiler of its schemas; null if it needs none. */
  public SchemaDecoder.Compiler compiler() {
    return switch (this) {
      case AVRO -> new AvroCompiler();
      case PROTOBUF -> new ProtobufCompiler();
      default -> null;
    };
  }

  /** Whether its points can name their series by an id, so that definitions must be kept. */
  public boolean needsDefinitions() {
    return this == METRICTANK;
  }

  /** Whether its records hold points; otherwise they hold events. */
  public boolean holdsPoints() {
    return this != EVENTS;
  }

  /** Creates a decoder for one thread, without definitions. */
  public Decoder decoder(DecoderSettings settings) {
    return decoder(settings, Definitions.NONE);
  }

  /**
   * Creates a decoder for one thread and the partition of these definitions. It enforces the record
   * limits and survives its own faults.
   */
  public Decoder decoder(DecoderSettings settings, Definitions definitions) {
    return new BoundedDecoder(
        outside -> unbounded(settings, outside), settings.limits(), needsSchema(), definitions);
  }

  Decoder unbounded(DecoderSettings settings, Definitions definitions) {
    Decoder decoder = ofRecords(settings, definitions);
    return omitsDistinction(settings) ? new DistinctDecoder(decoder) : decoder;
  }

  /** Whether two series of a record can get the same name. */
  private boolean omitsDistinction(DecoderSettings settings) {
    return switch (this) {
      case METRICTANK, OTLP ->
          true; // names omit the organisation; the unit and the version of the scope
      case AUTO, EVENTS -> false; // the detected format decides
      default -> settings.mapped().isPresent() || settings.names().mayMerge();
    };
  }

  private Decoder ofRecords(DecoderSettings settings, Definitions definitions) {
    return switch (this) {
      case NATIVE ->
          new NativeDecoder(settings.naming(), settings.identMaxBytes(), settings.identMaxTags());
      case METRICTANK -> new MetrictankDecoder(settings.naming(), definitions);
      case OTLP -> new UnframedDecoder(new OtlpDecoder(settings.naming()));
      case PROMETHEUS -> new PrometheusDecoder(settings.naming(), settings.limits());
      case JSON -> new UnframedDecoder(json(settings));
      case AVRO, PROTOBUF -> schema(settings);
      case PUTVAL ->
          new PutvalDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
      case INFLUX ->
          new InfluxDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.NANOSECONDS));
      case GRAPHITE ->
          new GraphiteDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
      case EVENTS ->
          new EventDecoder(settings.timeUnit().orElse(TimeUnit.SECONDS), settings.eventTags());
      case AUTO -> new AutoDecoder(settings);
    };
  }

  private static Decoder json(DecoderSettings settings) {
    return settings.mapped().isPresent()
        ? new MappedJsonDecoder(points(settings))
        : new JsonDecoder(
            settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS), settings.dialect());
  }

  private Decoder schema(DecoderSettings settings) {
    MappedSource mapped = settings.mapped().orElseThrow();
    return new SchemaDecoder(
        compiler(), mapped.schemas().orElseThrow(), mapped.mapping(), points(settings));
  }

  private static MappedPoints points(DecoderSettings settings) {
    return new MappedPoints(
        settings.mapped().orElseThrow().mapping(),
        settings.timeUnit().orElse(TimeUnit.MILLISECONDS),
        settings.naming());
  }
}
