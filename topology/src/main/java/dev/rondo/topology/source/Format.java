package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.Definitions;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.metrictank.MetrictankDecoder;
import dev.rondo.topology.format.prometheus.PrometheusDecoder;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** Remote write 1.0 of Prometheus: snappy, zstd or plain. */
  PROMETHEUS("prometheus"),
  /** MetricData and MetricPoint, whose ids name what an earlier MetricData has told. */
  METRICTANK("metrictank");

  private final String key;

  Format(String key) {
    this.key = key;
  }

  /** Name in settings. */
  public String key() {
    return key;
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
      case GRAPHITE -> new GraphiteDecoder(settings.identMaxBytes(), settings.identMaxTags());
      case PROMETHEUS -> new PrometheusDecoder(settings.naming());
      case METRICTANK -> new MetrictankDecoder(settings.naming(), definitions);
    };
  }
}
