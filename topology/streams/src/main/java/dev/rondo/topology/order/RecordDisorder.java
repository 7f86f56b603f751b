package dev.rondo.topology.order;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metric of how far the record times of each source topic are out of order ({@link
 * SourceStreamTime}). Safe to share between threads.
 */
public final class RecordDisorder {
  private static final Logger LOG = LoggerFactory.getLogger(RecordDisorder.class);
  private static final long WARN_MS = 10_000;

  private final MeterRegistry registry;
  private final Map<TopicPartition, Long> byPartition = new ConcurrentHashMap<>();
  private final Set<String> topics = ConcurrentHashMap.newKeySet();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  public RecordDisorder(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Records the disorder of a partition, ms. Warns once per topic if it is large. */
  public void observe(TopicPartition partition, long disorderMs) {
    byPartition.put(partition, disorderMs);
    String topic = partition.topic();
    if (topics.add(topic)) {
      Gauge.builder("rondo.merge.disorder", () -> ofTopic(topic) / 1000.0)
          .baseUnit("seconds")
          .description(
              "How far record times of a source are out of order: in a backlog its points are"
                  + " buffered that much longer")
          .tag("topic", topic)
          .register(registry);
    }
    if (disorderMs > WARN_MS && warned.add(topic)) {
      LOG.warn(
          "Record times of topic {} are {} s out of order. In a backlog its points are buffered that"
              + " much longer, in memory. Synchronize the senders' clocks, or set"
              + " message.timestamp.type=LogAppendTime.",
          topic,
          disorderMs / 1000);
    }
  }

  /** Removes a partition that this instance no longer reads. */
  public void forget(TopicPartition partition) {
    byPartition.remove(partition);
  }

  private long ofTopic(String topic) {
    long disorderMs = 0;
    for (Map.Entry<TopicPartition, Long> each : byPartition.entrySet()) {
      if (each.getKey().topic().equals(topic)) {
        disorderMs = Math.max(disorderMs, each.getValue());
      }
    }
    return disorderMs;
  }
}
