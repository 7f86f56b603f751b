package dev.rondo.topology.decode;

import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.Definitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.order.Sources;
import dev.rondo.topology.source.Source;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** One source partition: its decoder, and how far it is decoded. */
final class DecodedSource {
  private final TopicPartition partition;
  private final Decoder decoder;
  private final String policy;
  private final byte[] id;
  private long offset = -1;
  private long writtenMs = Long.MIN_VALUE;

  DecodedSource(TopicPartition partition, Source source, Definitions definitions) {
    this.partition = partition;
    this.decoder = source.decoder(definitions);
    this.policy = source.policy();
    this.id = Sources.id(partition);
  }

  Decoder decoder() {
    return decoder;
  }

  /** Of series that are met for the first time; empty = the first that matches. */
  String policy() {
    return policy;
  }

  void decoded(long offset, long writtenMs) {
    this.offset = offset;
    this.writtenMs = Math.max(this.writtenMs, writtenMs);
  }

  /**
   * Tells of points where they come from.
   *
   * @param records which of them came in which record
   */
  Headers headers(byte[] records) {
    return Sources.of(id, records);
  }

  /** Adds until when all is decoded, where that is known. */
  void addComplete(Headers headers, SourceProgress progress) {
    long completeMs = progress.completeMs(partition, offset, writtenMs);
    if (completeMs != Long.MIN_VALUE) {
      Sources.addComplete(headers, id, completeMs);
    }
  }
}
