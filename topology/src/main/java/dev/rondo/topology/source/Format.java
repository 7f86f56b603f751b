package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.influx.InfluxDecoder;
import dev.rondo.topology.format.putval.PutvalDecoder;
import java.util.concurrent.TimeUnit;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** Lines {@code measurement[,tag=v…] field=v[,field=v…] [time]}. */
  INFLUX("influx"),
  /** collectd's lines {@code PUTVAL host/plugin/type interval=10 time:value[:value…]}. */
  PUTVAL("putval");

  private final String key;

  Format(String key) {
    this.key = key;
  }

  /** Name in settings. */
  public String key() {
    return key;
  }

  /** A decoder of its own, for one thread. */
  public Decoder decoder(DecoderSettings settings) {
    return switch (this) {
      case GRAPHITE ->
          new GraphiteDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
      case INFLUX ->
          new InfluxDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.NANOSECONDS));
      case PUTVAL ->
          new PutvalDecoder(settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS));
    };
  }
}
