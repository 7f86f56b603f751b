package dev.rondo.bench.postgres.rows;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Task context without a worker: a rejected record ends the benchmark. */
final class NoWorker implements SinkTaskContext {
  private final Map<String, String> config;

  NoWorker(Map<String, String> config) {
    this.config = config;
  }

  @Override
  public Map<String, String> configs() {
    return config;
  }

  @Override
  public void offset(Map<TopicPartition, Long> offsets) {}

  @Override
  public void offset(TopicPartition partition, long offset) {}

  @Override
  public void timeout(long timeoutMs) {}

  @Override
  public Set<TopicPartition> assignment() {
    return Set.of();
  }

  @Override
  public void pause(TopicPartition... partitions) {}

  @Override
  public void resume(TopicPartition... partitions) {}

  @Override
  public void requestCommit() {}

  @Override
  public ErrantRecordReporter errantRecordReporter() {
    return null;
  }

  @Override
  public PluginMetrics pluginMetrics() {
    throw new UnsupportedOperationException("there is no Connect worker");
  }
}
