package dev.rondo.topology.source;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;

/**
 * A topic that points are read from, and its settings.
 *
 * @param topic its name
 * @param format of its records
 * @param settings of its decoder
 * @param isKeyed whether each series stays in one partition of the topic
 * @param policy of series first seen in this topic; empty = the first that matches
 */
public record Source(
    String topic, Format format, DecoderSettings settings, boolean isKeyed, String policy) {
  /** Creates a decoder for one thread, without definitions. */
  public Decoder decoder() {
    return format.decoder(settings.ofTopic(topic));
  }

  /** Creates a decoder for one thread and the partition of these definitions. */
  public Decoder decoder(Definitions definitions) {
    return format.decoder(settings.ofTopic(topic), definitions);
  }
}
