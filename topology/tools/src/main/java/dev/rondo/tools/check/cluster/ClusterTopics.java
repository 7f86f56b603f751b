package dev.rondo.tools.check.cluster;

import dev.rondo.topology.source.InternalTopics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * The topics of a cluster that may be sources, and their offsets. Each request is for all topics at
 * once.
 */
final class ClusterTopics {
  /** The write rate is that of this time. */
  private static final Duration RATE_SPAN = Duration.ofMinutes(10);

  private static final Pattern OF_STREAMS = Pattern.compile(".*-(repartition|changelog)");

  private final Admin admin;
  private final InternalTopics internal;
  private final Clock clock;

  ClusterTopics(Admin admin, InternalTopics internal, Clock clock) {
    this.admin = admin;
    this.internal = internal;
    this.clock = clock;
  }

  /**
   * Topics that may be sources, sorted by name.
   *
   * @param unreadable topics without the right to read
   * @param leaderless topics of which no partition has a leader
   * @param internal number of topics of Rondo, Kafka and Kafka Streams
   */
  record Found(
      Map<String, List<PartitionEnds>> readable,
      List<String> unreadable,
      List<String> leaderless,
      int internal) {}

  /** Finds the topics whose names match the pattern as a whole. */
  Found find(Pattern names) throws ExecutionException, InterruptedException {
    Set<String> listed = new HashSet<>(admin.listTopics().names().get());
    listed.removeIf(topic -> !names.matcher(topic).matches());
    List<String> candidates = listed.stream().filter(topic -> !isInternal(topic)).toList();
    Map<String, List<TopicPartitionInfo>> partitions = new TreeMap<>();
    List<String> unreadable = new ArrayList<>();
    List<String> leaderless = new ArrayList<>();
    var options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    for (TopicDescription topic : describe(candidates, options, unreadable)) {
      Set<AclOperation> allowed = topic.authorizedOperations();
      if (allowed != null && !allowed.contains(AclOperation.READ)) {
        unreadable.add(topic.name());
      } else if (topic.partitions().stream().noneMatch(ClusterTopics::hasLeader)) {
        leaderless.add(topic.name());
      } else {
        partitions.put(topic.name(), topic.partitions());
      }
    }
    return new Found(
        offsets(partitions), unreadable, leaderless, listed.size() - candidates.size());
  }

  private static boolean hasLeader(TopicPartitionInfo partition) {
    return partition.leader() != null;
  }

  private boolean isInternal(String topic) {
    return internal.contains(topic) || OF_STREAMS.matcher(topic).matches();
  }

  private List<TopicDescription> describe(
      Collection<String> topics, DescribeTopicsOptions options, List<String> unreadable)
      throws ExecutionException, InterruptedException {
    List<TopicDescription> described = new ArrayList<>();
    for (var topic : admin.describeTopics(topics, options).topicNameValues().entrySet()) {
      try {
        described.add(topic.getValue().get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicAuthorizationException)) {
          throw e;
        }
        unreadable.add(topic.getKey());
      }
    }
    return described;
  }

  /** A partition without a leader has no records. */
  private Map<String, List<PartitionEnds>> offsets(Map<String, List<TopicPartitionInfo>> topics)
      throws ExecutionException, InterruptedException {
    List<TopicPartition> led = new ArrayList<>();
    topics.forEach(
        (topic, partitions) ->
            partitions.stream()
                .filter(ClusterTopics::hasLeader)
                .forEach(one -> led.add(new TopicPartition(topic, one.partition()))));
    long sinceMs = clock.millis() - RATE_SPAN.toMillis();
    Map<TopicPartition, ListOffsetsResultInfo> begins = list(led, OffsetSpec.earliest());
    Map<TopicPartition, ListOffsetsResultInfo> since = list(led, OffsetSpec.forTimestamp(sinceMs));
    Map<TopicPartition, ListOffsetsResultInfo> ends = list(led, OffsetSpec.latest());
    Map<String, List<PartitionEnds>> offsets = new TreeMap<>();
    topics.forEach(
        (topic, partitions) -> {
          List<PartitionEnds> ofTopic = new ArrayList<>();
          for (TopicPartitionInfo one : partitions) {
            var partition = new TopicPartition(topic, one.partition());
            ofTopic.add(
                hasLeader(one)
                    ? ends(partition, begins, since, ends)
                    : new PartitionEnds(partition, 0, 0, 0));
          }
          offsets.put(topic, ofTopic);
        });
    return offsets;
  }

  private static PartitionEnds ends(
      TopicPartition partition,
      Map<TopicPartition, ListOffsetsResultInfo> begins,
      Map<TopicPartition, ListOffsetsResultInfo> since,
      Map<TopicPartition, ListOffsetsResultInfo> ends) {
    long end = ends.get(partition).offset();
    long first = since.get(partition).offset(); // -1 if all records are older
    double perSecond = first < 0 ? 0 : (double) (end - first) / RATE_SPAN.toSeconds();
    return new PartitionEnds(partition, begins.get(partition).offset(), end, perSecond);
  }

  private Map<TopicPartition, ListOffsetsResultInfo> list(
      List<TopicPartition> partitions, OffsetSpec which)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, which));
    return admin.listOffsets(specs).all().get();
  }
}
