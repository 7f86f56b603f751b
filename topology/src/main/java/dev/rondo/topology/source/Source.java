package dev.rondo.topology.source;

import dev.rondo.topology.format.Decoder;

/**
 * A topic that points are read from, and how.
 *
 * @param topic its name
 * @param format of its records
 * @param settings of its decoder
 */
public record Source(String topic, Format format, DecoderSettings settings) {
  /** A decoder of its records, for one thread. */
  public Decoder decoder() {
    return format.decoder(settings);
  }
}
