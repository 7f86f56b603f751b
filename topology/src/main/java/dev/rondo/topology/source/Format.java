package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.prometheus.PrometheusDecoder;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** Remote write 1.0 of Prometheus: snappy, zstd or plain. */
  PROMETHEUS("prometheus");

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
      case PROMETHEUS -> new PrometheusDecoder(settings.naming());
    };
  }
}
