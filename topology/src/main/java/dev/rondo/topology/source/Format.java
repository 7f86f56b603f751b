package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.json.JsonDecoder;
import java.util.concurrent.TimeUnit;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** JSON objects of Telegraf, collectd and others, found out from their keys. */
  JSON("json");

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
      case GRAPHITE -> new GraphiteDecoder(settings.identMaxBytes(), settings.identMaxTags());
      case JSON ->
          new JsonDecoder(
              settings.naming(), settings.timeUnit().orElse(TimeUnit.SECONDS), settings.dialect());
    };
  }
}
