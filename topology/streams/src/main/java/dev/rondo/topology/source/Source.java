package dev.rondo.topology.source;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DecoderSettings;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.registry.Format;

/**
 * A topic that points are read from, and how.
 *
 * @param topic its name
 * @param format of its records
 * @param settings of its decoder
 * @param isKeyed whether each series keeps to one partition of the topic
 * @param policy of its series that are met for the first time; empty = the first that matches
 */
public record Source(
    String topic, Format format, DecoderSettings settings, boolean isKeyed, String policy) {
  /** A decoder of its records, for one thread, where no definitions are kept. */
  public Decoder decoder() {
    return format.decoder(settings);
  }

  /** A decoder of its records, for one thread and the partition whose definitions these are. */
  public Decoder decoder(Definitions definitions) {
    return format.decoder(settings, definitions);
  }
}
