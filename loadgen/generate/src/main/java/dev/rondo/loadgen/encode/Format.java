package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import java.util.Arrays;
import java.util.Locale;

/** Wire formats, each with the series names that Rondo derives from it. */
public enum Format {
  /** Rondo's native format: {@code PointBatch}. */
  NATIVE {
    @Override
    public Encoder encoder(Fleet fleet) {
      return new NativeEncoder(fleet);
    }
  },
  /** {@code path value time}. */
  GRAPHITE {
    @Override
    public Encoder encoder(Fleet fleet) {
      String head = fleet.names().ident() + " ";
      return TextEncoder.valueThenTime(fleet.texts(head), " ", "\n");
    }
  },
  /** Line protocol: {@code measurement,host=machine metric=value,… time}. */
  INFLUX {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.tagged(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      return new InfluxEncoder(fleet);
    }
  },
  /** Telegraf's objects, one a line. */
  JSON {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.tagged(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      String head =
          "{\"name\":\"%s\",\"tags\":{\"host\":\"%s\"},\"fields\":{\"%s\":"
              .formatted(Names.measurement(fleet.run()), fleet.machine(), Names.metric());
      return TextEncoder.valueThenTime(fleet.texts(head), "},\"timestamp\":", "}\n");
    }
  },
  /** collectd's value lists as JSON. */
  COLLECTD {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.collectd(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      String head =
          "{\"host\":\"%s\",\"plugin\":\"load\",\"plugin_instance\":\"%s\",\"type\":\"gauge\","
                  .formatted(fleet.machine(), fleet.run())
              + "\"type_instance\":\"%s\",\"interval\":10.000,\"time\":".formatted(Names.metric());
      String middle = ",\"dsnames\":[\"value\"],\"dstypes\":[\"gauge\"],\"values\":[";
      return TextEncoder.timeThenValue(fleet.texts(head), middle, "]}\n");
    }
  },
  /** collectd's lines {@code PUTVAL}. */
  PUTVAL {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.collectd(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      String head =
          "PUTVAL %s/load-%s/gauge-%s interval=10 "
              .formatted(fleet.machine(), fleet.run(), Names.metric());
      return TextEncoder.timeThenValue(fleet.texts(head), ":", "\n");
    }
  },
  /** OpenTelemetry, protobuf. */
  OTLP {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.tagged(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      return new OtlpEncoder(fleet);
    }
  },
  /** Remote write. */
  PROMETHEUS {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.tagged(run, hasGenerations);
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      return new PrometheusEncoder(fleet);
    }
  },
  /** MetricData, msgpack. */
  METRICTANK {
    @Override
    public Names names(String run, boolean hasGenerations) {
      return Names.tagged(run, hasGenerations);
    }

    @Override
    public long timeUnitMs() {
      return 1000;
    }

    @Override
    public Encoder encoder(Fleet fleet) {
      return new MetrictankEncoder(fleet);
    }
  };

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
    return Names.path(run, hasGenerations);
  }

  /** Resolution of its timestamps, ms. */
  public long timeUnitMs() {
    return 1;
  }

  /** Creates an encoder. */
  public abstract Encoder encoder(Fleet fleet);
}
