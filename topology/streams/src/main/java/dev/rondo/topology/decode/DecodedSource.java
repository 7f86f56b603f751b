package dev.rondo.topology.decode;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.order.SourceStreamTime;
import dev.rondo.topology.source.Source;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** One source partition: its decoder, and how far it is decoded. */
final class DecodedSource {
  private final TopicPartition partition;
  private final Decoder decoder;
  private final String policy;
  private final byte[] id;
  private final SourceStreamTime front = new SourceStreamTime();
  private long offset = -1;

  DecodedSource(TopicPartition partition, Source source, Definitions definitions) {
    this.partition = partition;
    this.decoder = source.decoder(definitions);
    this.policy = source.policy();
    this.id = SourceHeaders.id(partition);
  }

  TopicPartition partition() {
    return partition;
  }

  Decoder decoder() {
    return decoder;
  }

  /** Of series that are met for the first time; empty = the first that matches. */
  String policy() {
    return policy;
  }

  /** Of the records so far. */
  SourceStreamTime front() {
    return front;
  }

  /** All records up to that offset have been decoded. */
  void decoded(long offset) {
    this.offset = offset;
  }

  /**
   * Tells of points where they come from.
   *
   * @param records which of them came in which record
   */
  Headers headers(byte[] records) {
    return SourceHeaders.of(id, records);
  }

  /** Adds how far it is decoded, where that is known. */
  void addProgress(Headers headers, SourceProgress progress) {
    long position = progress.decodedTo(partition, offset);
    if (position >= 0) {
      SourceHeaders.addProgress(
          headers, id, new Progress(position, front.streamTimeMs(), front.disorderMs()));
    }
  }
}
