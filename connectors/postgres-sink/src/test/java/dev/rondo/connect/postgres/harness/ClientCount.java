package dev.rondo.connect.postgres.harness;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Counts the Kafka clients of this JVM that have it in their {@code metric.reporters}. */
public final class ClientCount implements MetricsReporter {
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final Set<ClientCount> OPEN = ConcurrentHashMap.newKeySet();

  /** Number that were opened so far. */
  public static int opened() {
    return OPENED.get();
  }

  /** Number that are open. */
  public static int open() {
    return OPEN.size();
  }

  @Override
  public void configure(Map<String, ?> configs) {
    OPENED.incrementAndGet();
    OPEN.add(this);
  }

  @Override
  public void init(List<KafkaMetric> metrics) {
    // only clients are counted
  }

  @Override
  public void metricChange(KafkaMetric metric) {
    // only clients are counted
  }

  @Override
  public void metricRemoval(KafkaMetric metric) {
    // only clients are counted
  }

  @Override
  public void close() {
    OPEN.remove(this); // a client closes its reporters more than once
  }
}
