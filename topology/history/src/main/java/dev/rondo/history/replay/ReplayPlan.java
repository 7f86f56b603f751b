package dev.rondo.history.replay;

import dev.rondo.history.offsets.SourceOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The offsets that a replay sets for the consumer group.
 *
 * @param rewinds one per source partition, sorted
 * @param skips the partitions of by-series
 * @param notes sentences for the user
 */
record ReplayPlan(List<Rewind> rewinds, List<SourceOffset> skips, List<String> notes) {
  /** Reason for the offset that a partition is rewound to. */
  enum Reason {
    TIME("to complete the requested slots"),
    EARLIEST("everything that Kafka holds"),
    GIVEN("as given"),
    GIVEN_LATE("as given, later than the others"),
    WITH_GIVEN("as early as the given ones"),
    OPEN_SLOTS("to keep the open slots");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * One source partition.
   *
   * @param after offset to continue from; not beyond {@code source.next()}
   */
  record Rewind(SourceOffset source, long after, Reason reason) {
    /** Number of records to read, gaps included. */
    long records() {
      return source.end() - after;
    }

    TopicPartition partition() {
      return source.partition();
    }
  }

  /** Number of records to read, of all sources. */
  long records() {
    return rewinds.stream().mapToLong(Rewind::records).sum();
  }

  /** Number of records to read of one source. */
  long records(String topic) {
    return rewinds.stream()
        .filter(rewind -> rewind.partition().topic().equals(topic))
        .mapToLong(Rewind::records)
        .sum();
  }

  /**
   * Number of by-series records that are skipped, because their points are read again from the
   * sources.
   */
  long skipped() {
    return skips.stream().mapToLong(SourceOffset::left).sum();
  }

  /** New offsets of the group, for sources and by-series. */
  Map<TopicPartition, Long> offsets() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    rewinds.forEach(rewind -> offsets.put(rewind.partition(), rewind.after()));
    skips.forEach(skip -> offsets.put(skip.partition(), skip.end()));
    return offsets;
  }
}
