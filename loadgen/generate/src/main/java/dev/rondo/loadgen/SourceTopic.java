package dev.rondo.loadgen;

import dev.rondo.connection.kafka.SourceTopicConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The topic that receives the points. Kafka has a minute to answer, {@code default.api.timeout.ms}
 * of the client.
 */
record SourceTopic(Admin admin, String name) {
  /** {@code message.timestamp.type} of a topic. */
  enum TimestampType {
    CREATE("CreateTime"),
    APPEND("LogAppendTime");

    private final String config;

    TimestampType(String config) {
      this.config = config;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Number of partitions; empty if the topic does not exist. */
  Optional<Integer> partitions() throws InterruptedException, ExecutionException {
    try {
      return Optional.of(
          admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().size());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Creates the topic with the broker's default replication factor, and with the bound on times of
   * records that the topology proposes.
   */
  void create(int partitions, TimestampType type) throws InterruptedException, ExecutionException {
    var topic =
        new NewTopic(name, Optional.of(partitions), Optional.empty())
            .configs(SourceTopicConfig.of(type.config));
    admin.createTopics(List.of(topic)).all().get();
  }
}
