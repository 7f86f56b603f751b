package dev.rondo.topology.source;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;

/**
 * A source topic and its settings.
 *
 * @param topic name of the topic
 * @param format format of its records
 * @param settings settings of its decoder
 * @param isKeyed whether each series stays in one partition of the topic
 * @param policy of series first seen in this topic; empty = the first that matches
 */
public record Source(
    String topic, Format format, DecoderSettings settings, boolean isKeyed, String policy) {
  /** Creates a decoder for one thread, without definitions. */
  public Decoder decoder() {
    return format.decoder(settings.ofTopic(topic));
  }

  /** Creates a decoder for one thread, with the definitions of a partition. */
  public Decoder decoder(Definitions definitions) {
    return format.decoder(settings.ofTopic(topic), definitions);
  }
}
