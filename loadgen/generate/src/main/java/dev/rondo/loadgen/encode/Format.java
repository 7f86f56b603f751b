package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Wire formats, each with the series names that Rondo derives from it. */
public enum Format {
  /** Rondo's native format: {@code PointBatch}. */
  NATIVE(Names::path, NativeEncoder::new),
  /** {@code path value time}. */
  GRAPHITE(
      Names::path,
      fleet -> TextEncoder.valueThenTime(fleet.texts(fleet.names().ident() + " "), " ", "\n")),
  /** Line protocol: {@code measurement,host=machine metric=value,… time}. */
  INFLUX(Names::tagged, InfluxEncoder::new),
  /** Telegraf's objects, one a line. */
  JSON(
      Names::tagged,
      fleet -> {
        String head =
            "{\"name\":\"%s\",\"tags\":{\"host\":\"%s\"},\"fields\":{\"%s\":"
                .formatted(Names.measurement(fleet.run()), fleet.machine(), Names.metric());
        return TextEncoder.valueThenTime(fleet.texts(head), "},\"timestamp\":", "}\n");
      }),
  /** collectd's value lists as JSON. */
  COLLECTD(
      Names::collectd,
      fleet -> {
        String head =
            "{\"host\":\"%s\",\"plugin\":\"load\",\"plugin_instance\":\"%s\",\"type\":\"gauge\","
                    .formatted(fleet.machine(), fleet.run())
                + "\"type_instance\":\"%s\",\"interval\":10.000,\"time\":"
                    .formatted(Names.metric());
        String middle = ",\"dsnames\":[\"value\"],\"dstypes\":[\"gauge\"],\"values\":[";
        return TextEncoder.timeThenValue(fleet.texts(head), middle, "]}\n");
      }),
  /** collectd's lines {@code PUTVAL}. */
  PUTVAL(
      Names::collectd,
      fleet -> {
        String head =
            "PUTVAL %s/load-%s/gauge-%s interval=10 "
                .formatted(fleet.machine(), fleet.run(), Names.metric());
        return TextEncoder.timeThenValue(fleet.texts(head), ":", "\n");
      }),
  /** OpenTelemetry, protobuf. */
  OTLP(Names::tagged, OtlpEncoder::new),
  /** Remote write. */
  PROMETHEUS(Names::tagged, PrometheusEncoder::new),
  /** MetricData, msgpack. */
  METRICTANK(Names::tagged, MetrictankEncoder::new);

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final BiFunction<String, Boolean, Names> names;

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final Function<Fleet, Encoder> encoder;

  Format(BiFunction<String, Boolean, Names> names, Function<Fleet, Encoder> encoder) {
    this.names = names;
    this.encoder = encoder;
  }

  /** Looks up a label; throws {@link IllegalArgumentException} for an unknown one. */
  public static Format of(String label) {
    return Arrays.stream(values())
        .filter(format -> format.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no format '" + label + "'"));
  }

  /** The name, as in plans and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Names of the series in this format. */
  public Names names(String run, boolean hasGenerations) {
    return names.apply(run, hasGenerations);
  }

  /** Resolution of its timestamps, ms. */
  public long timeUnitMs() {
    return this == METRICTANK ? 1000 : 1;
  }

  /** Creates an encoder. */
  public Encoder encoder(Fleet fleet) {
    return encoder.apply(fleet);
  }
}
