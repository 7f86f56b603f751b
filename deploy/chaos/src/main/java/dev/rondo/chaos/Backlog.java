package dev.rondo.chaos;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What lies in the topic of points and is not consolidated and committed yet. */
final class Backlog implements AutoCloseable {
  private static final String TOPIC = "points";
  private static final String GROUP = "rondo";

  private final Admin admin;

  Backlog(String bootstrap) {
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  /** How many records; more with each one that is sent meanwhile. */
  long records() throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> latest =
        partitions().stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get();
    return admin.listOffsets(latest).all().get().entrySet().stream()
        .mapToLong(end -> end.getValue().offset() - offset(committed.get(end.getKey())))
        .sum();
  }

  private Collection<TopicPartition> partitions() throws InterruptedException, ExecutionException {
    var description = admin.describeTopics(List.of(TOPIC)).allTopicNames().get().get(TOPIC);
    return description.partitions().stream()
        .map(partition -> new TopicPartition(TOPIC, partition.partition()))
        .toList();
  }

  /** A partition of which nothing is committed has been read from its beginning. */
  private static long offset(OffsetAndMetadata committed) {
    return committed == null ? 0 : committed.offset();
  }

  @Override
  public void close() {
    admin.close();
  }
}
