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
 * Whether the instance is alive, and whether it is ready, by the metrics of its consumers.
 *
 * @param pollLimit {@code max.poll.interval.ms}: the group has excluded a thread that polls later
 * @param sessionTimeout {@code session.timeout.ms}: the group excludes an instance that is silent
 *     for so long
 */
record Health(
    Supplier<KafkaStreams.State> state,
    Supplier<? extends Map<MetricName, ? extends Metric>> metrics,
    Duration pollLimit,
    Duration sessionTimeout) {
  private static final String CLIENT = "client-id";

  /**
   * Why a restart of the process would help: Kafka Streams has failed, or a thread does not return
   * to its loop. Absent brokers, a rebalance and the restoration of state are no reasons.
   */
  Optional<String> notLive() {
    if (state.get() == KafkaStreams.State.ERROR) {
      return Optional.of("Kafka Streams has failed");
    }
    return longest(pollLimit, "last-poll-seconds-ago")
        .map("a stream thread has not polled for %.0f s (max.poll.interval.ms)"::formatted);
  }

  /** Why points are not processed now: partitions are not assigned, or brokers do not answer. */
  Optional<String> notReady() {
    KafkaStreams.State now = state.get();
    if (now != KafkaStreams.State.RUNNING) {
      return Optional.of("Kafka Streams is " + now);
    }
    // a new member has not sent a heartbeat yet, but has just joined in a rebalance
    return longest(sessionTimeout, "last-heartbeat-seconds-ago", "last-rebalance-seconds-ago")
        .map("no heartbeat to Kafka for %.0f s (session.timeout.ms)"::formatted);
  }

  /**
   * How long ago the last of some events was, in the thread where that is longest; empty if that is
   * not above a limit. The metric of an event that never happened is negative.
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

  /** Restore consumers poll only while they restore. */
  private static boolean isOfThread(MetricName name) {
    String client = name.tags().getOrDefault(CLIENT, "");
    return client.endsWith("-consumer") && !client.endsWith("-restore-consumer");
  }
}
