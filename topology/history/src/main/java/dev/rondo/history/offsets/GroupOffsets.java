package dev.rondo.history.offsets;

import dev.rondo.tools.command.CommandException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Reads and sets the offsets of the topology's consumer group, and reads those of its topics. */
public final class GroupOffsets {
  private final Admin admin;
  private final String group;

  /**
   * @param group the topology's application.id
   */
  public GroupOffsets(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  /**
   * Members of the group: every thread of a running topology, and threads that ended within the
   * session timeout.
   */
  public Collection<MemberDescription> members() throws ExecutionException, InterruptedException {
    try {
      return admin.describeConsumerGroups(List.of(group)).all().get().get(group).members();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return List.of();
      }
      throw e;
    }
  }

  /** Offsets that the group has committed; waits for pending transactions. */
  public Map<TopicPartition, Long> committed() throws ExecutionException, InterruptedException {
    var options = new ListConsumerGroupOffsetsOptions().requireStable(true);
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group, options)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                committed.put(partition, offset.offset());
              }
            });
    return committed;
  }

  /**
   * Checks that the topology has run on this cluster.
   *
   * @throws CommandException if the group has no offsets
   */
  public void checkHasRun() throws ExecutionException, InterruptedException {
    if (committed().isEmpty()) {
      throw CommandException.refused(
          ("the consumer group '%s' has no offsets: the topology has never run on this cluster, or"
                  + " Kafka has expired them; without offsets it reads its sources from the beginning"
                  + " (application.id)")
              .formatted(group));
    }
  }

  /** Offsets of all partitions of the source topics, up to the last committed transaction. */
  public List<SourceOffset> sources(Collection<String> topics)
      throws ExecutionException, InterruptedException {
    return sourceOffsets(topics, IsolationLevel.READ_COMMITTED);
  }

  /**
   * Offsets of by-series, including records behind a transaction that a killed topology left open.
   */
  public List<SourceOffset> bySeries(String topic) throws ExecutionException, InterruptedException {
    return sourceOffsets(List.of(topic), IsolationLevel.READ_UNCOMMITTED);
  }

  private List<SourceOffset> sourceOffsets(Collection<String> topics, IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    List<TopicPartition> partitions = partitions(topics);
    Map<TopicPartition, Long> committed = committed();
    var beginnings = list(partitions, p -> OffsetSpec.earliest(), isolation);
    var ends = list(partitions, p -> OffsetSpec.latest(), isolation);
    List<SourceOffset> sourceOffsets = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      Long offset = committed.get(partition);
      sourceOffsets.add(
          new SourceOffset(
              partition,
              offset == null ? OptionalLong.empty() : OptionalLong.of(offset),
              beginnings.get(partition).offset(),
              ends.get(partition).offset()));
    }
    return sourceOffsets;
  }

  private List<TopicPartition> partitions(Collection<String> topics)
      throws ExecutionException, InterruptedException {
    List<TopicPartition> partitions = new ArrayList<>();
    try {
      for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(info -> partitions.add(new TopicPartition(topic.name(), info.partition())));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw CommandException.refused(
            ("one of the topics %s does not exist: the topology has never run as application.id '%s',"
                    + " or the topic was deleted")
                .formatted(topics, group));
      }
      throw e;
    }
    partitions.sort(
        Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
    return partitions;
  }

  /** Offsets at which the partitions of a topic begin; none if it does not exist. */
  public Map<TopicPartition, Long> beginnings(String topic)
      throws ExecutionException, InterruptedException {
    return admin.listTopics().names().get().contains(topic)
        ? beginnings(partitions(List.of(topic)))
        : Map.of();
  }

  /** Offsets at which these partitions begin. */
  public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> beginnings = new HashMap<>();
    list(partitions, p -> OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED)
        .forEach((partition, found) -> beginnings.put(partition, found.offset()));
    return beginnings;
  }

  /**
   * Offset of the first record written at or after a time; the end offset without such a record.
   *
   * @param timesMs by partition, epoch ms
   */
  public Map<TopicPartition, Long> at(Map<TopicPartition, Long> timesMs)
      throws ExecutionException, InterruptedException {
    var found =
        list(
            timesMs.keySet(),
            p -> OffsetSpec.forTimestamp(Math.max(0, timesMs.get(p))),
            IsolationLevel.READ_COMMITTED);
    var ends = list(timesMs.keySet(), p -> OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    return timesMs.keySet().stream()
        .collect(
            Collectors.toMap(
                p -> p, p -> (found.get(p).offset() < 0 ? ends : found).get(p).offset()));
  }

  /** Time at which the newest record was written, epoch ms; empty without records. */
  public OptionalLong newestMs(Collection<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    return list(partitions, p -> OffsetSpec.maxTimestamp(), IsolationLevel.READ_COMMITTED)
        .values()
        .stream()
        .mapToLong(ListOffsetsResultInfo::timestamp)
        .filter(timeMs -> timeMs >= 0)
        .max();
  }

  private Map<TopicPartition, ListOffsetsResultInfo> list(
      Collection<TopicPartition> partitions,
      Function<TopicPartition, OffsetSpec> question,
      IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(
            partitions.stream().collect(Collectors.toMap(p -> p, question)),
            new ListOffsetsOptions(isolation))
        .all()
        .get();
  }

  /** Sets all offsets in one call. Kafka refuses it while the group has members. */
  public void set(Map<TopicPartition, Long> offsets)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> sourceOffsets = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> sourceOffsets.put(partition, new OffsetAndMetadata(offset)));
    admin.alterConsumerGroupOffsets(group, sourceOffsets).all().get();
  }
}
