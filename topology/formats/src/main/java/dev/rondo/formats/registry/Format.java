package dev.rondo.formats.registry;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DecoderSettings;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.json.JsonDecoder;
import dev.rondo.formats.metrictank.MetrictankDecoder;
import dev.rondo.formats.nativepoints.NativeDecoder;
import dev.rondo.formats.otlp.OtlpDecoder;
import dev.rondo.formats.prometheus.PrometheusDecoder;
import dev.rondo.formats.putval.PutvalDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A format that a source may have. Their order is the one in which {@link #AUTO} asks them whether
 * a record is theirs: the strictest first.
 */
public enum Format {
  /** Rondo's own batches: Avro, many points a record. */
  NATIVE("native"),
  /** MetricData and MetricPoint, whose ids name what an earlier MetricData has told. */
  METRICTANK("metrictank"),
  /** OpenTelemetry metrics, protobuf or JSON. */
  OTLP("otlp"),
  /** Remote write 1.0 of Prometheus: snappy, zstd or plain. */
  PROMETHEUS("prometheus"),
  /** JSON objects of Telegraf, collectd and others, found out from their keys. */
  JSON("json"),
  /** collectd's lines {@code PUTVAL host/plugin/type interval=10 time:value[:value…]}. */
  PUTVAL("putval"),
  /** Lines {@code measurement[,tag=v…] field=v[,field=v…] [time]}. */
  INFLUX("influx"),
  /** Lines {@code path[;tag=v…] value time}; what no other format takes for its own. */
  GRAPHITE("graphite"),
  /** Any of the others, found out record by record. */
  AUTO("auto");

  private final String key;

  Format(String key) {
    this.key = key;
  }

  /** The format of this {@link #key}; empty where there is none. */
  public static Optional<Format> of(String key) {
    return Arrays.stream(values()).filter(format -> format.key.equals(key)).findFirst();
  }

  /** The first whose record this seems to be; Graphite's where it is like none. */
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
      case OTLP -> OtlpDecoder.recognises(value);
      case PROMETHEUS -> PrometheusDecoder.recognises(value);
      case JSON -> JsonDecoder.recognises(value);
      case PUTVAL -> PutvalDecoder.recognises(value);
      case INFLUX -> InfluxDecoder.recognises(value);
      case GRAPHITE, AUTO -> false;
    };
  }

  /** Name in settings. */
  public String key() {
    return key;
  }

  /** Whether its records may leave open what unit their times have. */
  public boolean takesTimeUnit() {
    return switch (this) {
      case JSON, PUTVAL, INFLUX, GRAPHITE, AUTO -> true;
      case NATIVE, METRICTANK, OTLP, PROMETHEUS -> false;
    };
  }

  /** Keys of its dialects; empty where it has none. */
  public List<String> dialects() {
    return this == JSON ? JsonDecoder.dialects() : List.of();
  }

  /** Whether its points may name their series by an id, so that definitions are to be kept. */
  public boolean needsDefinitions() {
    return this == METRICTANK;
  }

  /** A decoder of its own, for one thread, where no definitions are kept. */
  public Decoder decoder(DecoderSettings settings) {
    return decoder(settings, Definitions.NONE);
  }

  /** A decoder of its own, for one thread and the partition whose definitions these are. */
  public Decoder decoder(DecoderSettings settings, Definitions definitions) {
    return switch (this) {
      case NATIVE ->
          new NativeDecoder(settings.naming(), settings.identMaxBytes(), settings.identMaxTags());
      case METRICTANK -> new MetrictankDecoder(settings.naming(), definitions);
      case OTLP -> new OtlpDecoder(settings.naming());
      case PROMETHEUS -> new PrometheusDecoder(settings.naming());
      case JSON ->
          new JsonDecoder(
              settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS), settings.dialect());
      case PUTVAL ->
          new PutvalDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
      case INFLUX ->
          new InfluxDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.NANOSECONDS));
      case GRAPHITE ->
          new GraphiteDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
      case AUTO -> new AutoDecoder(settings);
    };
  }
}
