package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.influx.InfluxDecoder;
import java.util.concurrent.TimeUnit;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** Lines {@code measurement[,tag=v…] field=v[,field=v…] [time]}. */
  INFLUX("influx");

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
    };
  }
}
