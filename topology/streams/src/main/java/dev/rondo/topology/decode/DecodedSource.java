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

/** One source partition with its decoder and its progress. */
final class DecodedSource {
  private final TopicPartition partition;
  private final Decoder decoder;
  private final String policy;
  private final byte[] id;
  private final SourceStreamTime streamTime = new SourceStreamTime();
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

  /** Policy of new series; empty = the first policy that matches. */
  String policy() {
    return policy;
  }

  /** Stream time of the records so far. */
  SourceStreamTime streamTime() {
    return streamTime;
  }

  /** Records that all records up to and including this offset are decoded. */
  void decoded(long offset) {
    this.offset = offset;
  }

  /**
   * Headers that name the source of points.
   *
   * @param records which points came from which record
   */
  Headers headers(byte[] records) {
    return SourceHeaders.of(id, records);
  }

  /** Adds the progress of this source, if it is known. */
  void addProgress(Headers headers, SourceProgress progress) {
    long position = progress.decodedTo(partition, offset);
    if (position >= 0) {
      SourceHeaders.addProgress(
          headers, id, new Progress(position, streamTime.streamTimeMs(), streamTime.disorderMs()));
    }
  }
}
