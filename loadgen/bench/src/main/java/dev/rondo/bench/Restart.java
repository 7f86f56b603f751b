package dev.rondo.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Kills a topology under light load, restarts it and records the timeline. */
final class Restart {
  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final String GROUP = "rondo";

  private Restart() {}

  /**
   * Waits until the first point sent after the kill is committed, and all tasks run.
   *
   * @throws TimeoutException after five minutes
   */
  static Timeline measure(Stage stage, Trickle trickle)
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = stage.admin()) {
      stage.killTopology();
      trickle.mark();
      long startedMs = System.currentTimeMillis();
      stage.startTopology();
      TopologyProbe probe = stage.probe();
      long stored = -1;
      long committed = -1;
      long running = -1;
      long cpu = -1;
      while (stored < 0 || committed < 0 || running < 0) {
        if (System.currentTimeMillis() - startedMs > BOUND.toMillis()) {
          throw new TimeoutException(
              "the topology consumed no point within %d s; its log: %s"
                  .formatted(BOUND.toSeconds(), stage.log()));
        }
        if (stored < 0 && hasStored(probe)) {
          stored = System.currentTimeMillis() - startedMs;
          cpu = probe.cpuMs();
        }
        if (committed < 0 && hasCommitted(admin, trickle)) {
          committed = System.currentTimeMillis() - startedMs;
        }
        if (running < 0 && isRunning(probe)) {
          running = System.currentTimeMillis() - startedMs;
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
      return Timeline.of(stage.log(), startedMs, running, stored, committed, cpu);
    }
  }

  private static boolean hasStored(TopologyProbe probe) throws IOException, InterruptedException {
    try {
      return probe.metric(Progress.STORED) > 0;
    } catch (ConnectException e) {
      return false; // not up yet
    }
  }

  private static boolean isRunning(TopologyProbe probe) throws IOException, InterruptedException {
    try {
      return probe.isRunning();
    } catch (ConnectException e) {
      return false; // not up yet
    }
  }

  private static boolean hasCommitted(Admin admin, Trickle trickle)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get();
    return trickle.firstOffsets().entrySet().stream()
        .anyMatch(
            first -> {
              OffsetAndMetadata offset = committed.get(first.getKey());
              return offset != null && offset.offset() > first.getValue();
            });
  }
}
