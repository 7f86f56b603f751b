package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.own.OwnDecoder;

/** A format that a source may have. */
public enum Format {
  /** Lines {@code path[;tag=v…] value time}. */
  GRAPHITE("graphite"),
  /** Batches of points in Avro, Rondo's own. */
  RONDO("rondo");

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
      case RONDO ->
          new OwnDecoder(settings.naming(), settings.identMaxBytes(), settings.identMaxTags());
    };
  }
}
