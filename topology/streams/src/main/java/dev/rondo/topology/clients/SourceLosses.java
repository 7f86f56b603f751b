package dev.rondo.topology.clients;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs records of source partitions that Kafka lost before they were read. A process
 * counts each loss once; another instance that takes over the partition before its next commit
 * counts it again. Safe to share between threads.
 */
public final class SourceLosses {
  private static final Logger LOG = LoggerFactory.getLogger(SourceLosses.class);
  private static final String RUNBOOK = "see docs/runbooks/RondoSourceLostRecords.md";

  private final MeterRegistry registry;
  private final Map<TopicPartition, Uuid> recreated = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> lostTo = new ConcurrentHashMap<>();

  public SourceLosses(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Exports the counters of a partition at 0, so that their first increase is visible. */
  void watch(TopicPartition partition) {
    replaced(partition);
    lost(partition);
  }

  /**
   * Reports a partition of a recreated topic, which now has {@code id} and is read from its
   * beginning.
   */
  void recreated(TopicPartition partition, Uuid id) {
    if (id.equals(recreated.put(partition, id))) {
      return;
    }
    lostTo.remove(partition);
    LOG.error(
        "{}: the topic was deleted and created again; reading the new log from its beginning; unread"
            + " records of the previous one are lost; {}",
        partition,
        RUNBOOK);
    replaced(partition).increment();
  }

  /**
   * Reports a position that the log does not have because Kafka was set back. The partition
   * continues at {@code next}.
   */
  void setBack(TopicPartition partition, long position, long next) {
    LOG.error(
        "{} was read up to offset {}, which its log does not have: Kafka was restored to an earlier"
            + " state, or has lost records; reading from offset {}; {}",
        partition,
        position,
        next,
        RUNBOOK);
    replaced(partition).increment();
  }

  /** Reports records that Kafka has deleted between the position and the start of the log. */
  void deleted(TopicPartition partition, long position, long begin) {
    long from = Math.max(position, lostTo.getOrDefault(partition, 0L));
    if (begin <= from) {
      return;
    }
    lostTo.put(partition, begin);
    LOG.error(
        "{} was read up to offset {}, but Kafka has deleted everything before offset {}: up to {}"
            + " records are lost; {}. Keep retention.ms of the topic above your longest outage",
        partition,
        position,
        begin,
        begin - from,
        RUNBOOK);
    lost(partition).increment((double) (begin - from));
  }

  private Counter replaced(TopicPartition partition) {
    return counter(
        partition,
        "rondo.sources.replaced",
        "How often a source partition got another log: its topic was deleted and"
            + " created again, or Kafka was set back; unread records of the previous log are"
            + " lost");
  }

  private Counter lost(TopicPartition partition) {
    return counter(
        partition,
        "rondo.sources.lost.records",
        "Upper bound of the records of a source partition that Kafka deleted before they were read");
  }

  private Counter counter(TopicPartition partition, String name, String description) {
    return Counter.builder(name)
        .description(description)
        .tags("source", partition.topic(), "partition", Integer.toString(partition.partition()))
        .register(registry);
  }
}
