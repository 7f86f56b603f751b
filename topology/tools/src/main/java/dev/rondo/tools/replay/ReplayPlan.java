package dev.rondo.tools.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What a replay does to the offsets of the consumer group.
 *
 * @param rewinds one a source partition, sorted
 * @param skips the partitions of by-series
 * @param notes what else people should know
 */
record ReplayPlan(List<Rewind> rewinds, List<SourceOffset> skips, List<String> notes) {
  /** Why a partition is rewound as far as it is. */
  enum Reason {
    TIME("so that the slots asked for are whole"),
    EARLIEST("all that Kafka holds"),
    GIVEN("as given"),
    GIVEN_LATE("as given, later than the others"),
    WITH_GIVEN("as early as the given ones"),
    OPEN_SLOTS("so that no open slot is lost");

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
   * @param after offset that reading goes on with; not beyond {@code position.next()}
   */
  record Rewind(SourceOffset position, long after, Reason reason) {
    /** Records to be read, gaps included. */
    long records() {
      return position.end() - after;
    }

    TopicPartition partition() {
      return position.partition();
    }
  }

  /** Records of all sources to be read. */
  long records() {
    return rewinds.stream().mapToLong(Rewind::records).sum();
  }

  /** Records of by-series that are skipped: their points are read again from the sources. */
  long skipped() {
    return skips.stream().mapToLong(SourceOffset::left).sum();
  }

  /** The offsets of the group from now on, of sources and by-series. */
  Map<TopicPartition, Long> offsets() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    rewinds.forEach(rewind -> offsets.put(rewind.partition(), rewind.after()));
    skips.forEach(skip -> offsets.put(skip.partition(), skip.end()));
    return offsets;
  }
}
