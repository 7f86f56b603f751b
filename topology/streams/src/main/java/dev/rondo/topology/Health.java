package dev.rondo.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Liveness and readiness of the instance, by the metrics of its consumers.
 *
 * @param pollLimit {@code max.poll.interval.ms}; the group excludes a thread that polls later
 * @param sessionTimeout {@code session.timeout.ms}; the group excludes an instance without
 *     heartbeats for this long
 */
record Health(
    Supplier<KafkaStreams.State> state,
    Supplier<? extends Map<MetricName, ? extends Metric>> metrics,
    Duration pollLimit,
    Duration sessionTimeout) {
  private static final String CLIENT = "client-id";

  /**
   * Returns why a restart of the process would help: Kafka Streams has failed, or a thread hangs.
   * Absent brokers, a rebalance and the restoration of state are no reasons.
   */
  Optional<String> notLive() {
    if (state.get() == KafkaStreams.State.ERROR) {
      return Optional.of("Kafka Streams has failed");
    }
    return longest(pollLimit, "last-poll-seconds-ago")
        .map("a stream thread has not polled for %.0f s (max.poll.interval.ms)"::formatted);
  }

  /**
   * Returns why points are not processed now: partitions are not assigned, or brokers do not
   * answer.
   */
  Optional<String> notReady() {
    KafkaStreams.State now = state.get();
    if (now != KafkaStreams.State.RUNNING) {
      return Optional.of("Kafka Streams is " + now);
    }
    // a new member has not sent a heartbeat yet but has just rebalanced
    return longest(sessionTimeout, "last-heartbeat-seconds-ago", "last-rebalance-seconds-ago")
        .map("no heartbeat to Kafka for %.0f s (session.timeout.ms)"::formatted);
  }

  /**
   * Returns the longest time, of all threads, since the last of some events, seconds; empty if it
   * is within a limit. The metric of an event that never happened is negative.
   */
  private Optional<Double> longest(Duration limit, String... events) {
    Map<String, Double> secondsByThread = new HashMap<>();
    metrics
        .get()
        .forEach(
            (name, metric) -> {
              if (List.of(events).contains(name.name())
                  && isOfThread(name)
                  && metric.metricValue() instanceof Double seconds
                  && seconds >= 0) {
                secondsByThread.merge(name.tags().get(CLIENT), seconds, Math::min);
              }
            });
    return secondsByThread.values().stream()
        .max(Double::compare)
        .filter(seconds -> seconds * 1000 > limit.toMillis());
  }

  /**
   * Whether a metric belongs to a main consumer; restore consumers poll only while they restore.
   */
  private static boolean isOfThread(MetricName name) {
    String client = name.tags().getOrDefault(CLIENT, "");
    return client.endsWith("-consumer") && !client.endsWith("-restore-consumer");
  }
}
