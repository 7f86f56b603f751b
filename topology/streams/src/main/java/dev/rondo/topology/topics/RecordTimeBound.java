package dev.rondo.topology.topics;

import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.order.SourceStreamTime;
import dev.rondo.topology.policy.Spans;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;

/**
 * How far record times of a topic may be ahead of the broker.
 *
 * @param aheadMs 0 if the broker sets the times, {@link Long#MAX_VALUE} without a bound; empty if
 *     DescribeConfigs is not allowed
 */
public record RecordTimeBound(String topic, OptionalLong aheadMs) {
  /** Reads the bounds of topics; missing topics are omitted. */
  public static List<RecordTimeBound> of(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    List<ConfigResource> resources =
        topics.stream().map(t -> new ConfigResource(ConfigResource.Type.TOPIC, t)).toList();
    List<RecordTimeBound> bounds = new ArrayList<>();
    for (var described : admin.describeConfigs(resources).values().entrySet()) {
      String topic = described.getKey().name();
      try {
        bounds.add(of(topic, described.getValue().get()));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AuthorizationException) {
          bounds.add(new RecordTimeBound(topic, OptionalLong.empty()));
        } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return bounds;
  }

  /** Returns the problem of a topic, as {@link #weakness(long, String)} does. */
  public static Optional<String> weakness(Admin admin, TopologyConfig config, String topic)
      throws ExecutionException, InterruptedException {
    return Optional.ofNullable(weaknesses(admin, config, List.of(topic)).get(topic));
  }

  /** Returns the problems of several topics, by topic; topics without one are omitted. */
  public static Map<String, String> weaknesses(
      Admin admin, TopologyConfig config, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<String, String> weaknesses = new HashMap<>();
    for (RecordTimeBound bound : of(admin, topics)) {
      bound
          .weakness(config.getLong("max.future.ms"), config.kafka().bootstrap())
          .ifPresent(text -> weaknesses.put(bound.topic(), text));
    }
    return weaknesses;
  }

  static RecordTimeBound of(String topic, Config config) {
    boolean isSetByBroker =
        config
            .get(MESSAGE_TIMESTAMP_TYPE_CONFIG)
            .value()
            .equals(TimestampType.LOG_APPEND_TIME.name);
    ConfigEntry bound = config.get(MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG); // since Kafka 3.6
    long createdMs = bound == null ? Long.MAX_VALUE : Long.parseLong(bound.value());
    return new RecordTimeBound(topic, OptionalLong.of(isSetByBroker ? 0 : createdMs));
  }

  /** Returns the problem and the command to fix it, if records may be too far ahead. */
  public Optional<String> weakness(long maxFutureMs, String bootstrap) {
    if (aheadMs.isEmpty() || aheadMs.getAsLong() <= maxFutureMs) {
      return Optional.empty();
    }
    long ms = aheadMs.getAsLong();
    return Optional.of(
        ("topic '%s' accepts record times %s ahead of the broker (%s; max.future.ms = %d): if"
                + " the clock of a sender is ahead, later points of its series are late. Bound them:"
                + " kafka-configs.sh --bootstrap-server %s --alter --entity-type topics"
                + " --entity-name %s --add-config %s=%d, or %s=%s")
            .formatted(
                topic,
                ms == Long.MAX_VALUE ? "any time" : "up to " + Spans.format(ms),
                MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                maxFutureMs,
                bootstrap,
                topic,
                MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                Math.min(maxFutureMs, SourceStreamTime.MAX_BEHIND_MS), // keeps others in order
                MESSAGE_TIMESTAMP_TYPE_CONFIG,
                TimestampType.LOG_APPEND_TIME.name));
  }
}
