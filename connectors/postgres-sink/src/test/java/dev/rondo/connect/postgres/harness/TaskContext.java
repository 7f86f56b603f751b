package dev.rondo.connect.postgres.harness;

import dev.rondo.connect.postgres.PostgresSinkTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Records the calls of a task to its worker. */
public final class TaskContext implements SinkTaskContext {
  public final List<Long> timeoutsMs = new ArrayList<>();
  public final List<SinkRecord> errant = new ArrayList<>();
  public final List<Throwable> reasons = new ArrayList<>();
  public final Map<TopicPartition, Long> seeks = new HashMap<>();
  private final boolean reporter;

  /** {@code reporter}: whether the worker has a dead-letter queue. */
  public TaskContext(boolean reporter) {
    this.reporter = reporter;
  }

  public static PostgresSinkTask start(Map<String, String> config, TaskContext context) {
    var task = new PostgresSinkTask();
    task.initialize(context);
    task.start(config);
    return task;
  }

  @Override
  public ErrantRecordReporter errantRecordReporter() {
    if (!reporter) {
      return null;
    }
    return (record, reason) -> {
      errant.add(record);
      reasons.add(reason);
      return CompletableFuture.completedFuture(null);
    };
  }

  @Override
  public void timeout(long timeoutMs) {
    timeoutsMs.add(timeoutMs);
  }

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public Set<TopicPartition> assignment() {
    return Set.of();
  }

  @Override
  public void offset(Map<TopicPartition, Long> offsets) {
    seeks.putAll(offsets);
  }

  @Override
  public void offset(TopicPartition partition, long offset) {
    seeks.put(partition, offset);
  }

  @Override
  public void pause(TopicPartition... partitions) {
    throw new UnsupportedOperationException("the sink pauses no partition");
  }

  @Override
  public void resume(TopicPartition... partitions) {
    throw new UnsupportedOperationException("the sink pauses no partition");
  }

  @Override
  public void requestCommit() {
    throw new UnsupportedOperationException("the sink asks for no commit");
  }

  @Override
  public PluginMetrics pluginMetrics() {
    throw new UnsupportedOperationException("the sink does not use Connect's plugin metrics");
  }
}
