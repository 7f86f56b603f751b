package dev.rondo.topology.decode;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.order.SourceStreamTime;
import dev.rondo.topology.source.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** One source partition with its decoder and its progress. */
final class DecodedSource {
  private final TopicPartition partition;
  private final Decoder decoder;
  private final String policy;
  private final byte[] id;
  private final Counter behind;
  private final SourceStreamTime streamTime = new SourceStreamTime();

  /** Offset of the last decoded record; -1 = none yet. */
  private long offset = -1;

  /** All records before it are decoded; -1 = unknown. */
  private long position = -1;

  /** Progress last sent to each partition of by-series. */
  private final Progress[] sent;

  /**
   * @param partitions of by-series
   */
  DecodedSource(
      TopicPartition partition,
      Source source,
      Definitions definitions,
      int partitions,
      MeterRegistry registry) {
    this.sent = new Progress[partitions];
    this.partition = partition;
    this.decoder = source.decoder(definitions);
    this.policy = source.policy();
    this.id = SourceHeaders.id(partition);
    this.behind =
        Counter.builder("rondo.decode.behind.points")
            .description(
                "Points further behind the time of their record than max.future.ms: the clock of a sender"
                    + " is behind, or it sends late")
            .tag("source", partition.topic())
            .register(registry);
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

  Counter behind() {
    return behind;
  }

  SourceStreamTime streamTime() {
    return streamTime;
  }

  /** Marks all records before this offset as decoded; a gap may precede it. */
  void begin(long offset) {
    position = offset;
  }

  /** Marks all records up to and including this offset as decoded. */
  void decoded(long offset) {
    this.offset = offset;
    position = offset + 1;
  }

  /** Returns how far this source is decoded; the position may be unknown. */
  Progress progress() {
    return progress(position);
  }

  private Progress progress(long position) {
    return new Progress(position, streamTime.streamTimeMs(), streamTime.disorderMs());
  }

  /**
   * Returns the headers of a record of points for partition {@code target} of by-series.
   *
   * @param reported progress sent with the points
   * @param records which points came from which record
   */
  Headers headers(int target, Progress reported, byte[] records) {
    sent[target] = reported;
    return SourceHeaders.of(id, records);
  }

  /**
   * Adds the progress of this source for partition {@code target} of by-series, if it is known and
   * has changed since {@code target} last received it.
   *
   * @param repeats whether to add unchanged progress too: a merge that has just moved knows none
   */
  void addProgress(Headers headers, int target, boolean repeats, SourceProgress all) {
    Progress now = progress(all.decodedTo(partition, offset));
    if (now.position() >= 0 && (repeats || !now.equals(sent[target]))) {
      SourceHeaders.addProgress(headers, id, now);
      sent[target] = now;
    }
  }
}
