package dev.rondo.topology.clients;

import dev.rondo.topology.topics.PartitionCounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Tracks which log each source partition is read from, by the id of its topic. A recreated topic
 * has another id, and offsets of its previous log are invalid. Safe to share between threads.
 *
 * <pre>
 *   a task starts    committed offset with another id → start of the log, counted
 *   a poll           another id than at the start of the task → the tasks restart
 *   a commit         the same; else the id is committed with the offset
 * </pre>
 */
public final class SourceLogs {
  private final Admin admin;
  private final Predicate<String> isInternal;
  private final SourceLosses losses;
  private final Map<TopicPartition, Uuid> read = new ConcurrentHashMap<>();
  private volatile Map<String, Uuid> listed = Map.of();

  /**
   * @param isInternal whether Kafka Streams owns a topic; it deletes processed records
   */
  public SourceLogs(Admin admin, Predicate<String> isInternal, SourceLosses losses) {
    this.admin = admin;
    this.isInternal = isInternal;
    this.losses = losses;
  }

  SourceLosses losses() {
    return losses;
  }

  /** Sets the ids of topics, as last listed. */
  void listed(Map<String, Uuid> ids) {
    listed = ids;
  }

  /** Whether losses of a topic are counted. */
  boolean includes(TopicPartition partition) {
    return !isInternal.test(partition.topic());
  }

  /** Returns the partitions whose log no task has begun to read. */
  Set<TopicPartition> unread(Collection<TopicPartition> partitions) {
    return partitions.stream().filter(p -> !read.containsKey(p)).collect(Collectors.toSet());
  }

  /**
   * Starts reading partitions.
   *
   * @param committed committed offsets, null if none
   * @return partitions whose offset belongs to an earlier log, which are read from the start
   * @throws TimeoutException if the ids cannot be fetched
   */
  Set<TopicPartition> begin(Map<TopicPartition, OffsetAndMetadata> committed) {
    Map<String, Uuid> ids = ids(committed.keySet());
    Set<TopicPartition> replaced = new HashSet<>();
    committed.forEach(
        (partition, offset) -> {
          Uuid id = ids.get(partition.topic());
          if (id == null) {
            read.remove(partition);
            return;
          }
          losses.watch(partition);
          Uuid before = read.put(partition, id);
          Uuid was = offset == null ? before : CommittedTopicId.of(offset).orElse(before);
          if (was != null && !was.equals(id)) {
            losses.recreated(partition, id);
            if (offset != null) {
              replaced.add(partition);
            }
          }
        });
    return replaced;
  }

  /**
   * Returns the topics that were recreated since the tasks of their partitions started, by the last
   * listing, confirmed by the broker. Their partitions then count as unread.
   *
   * @throws TimeoutException if the ids cannot be fetched
   */
  Set<String> recreated(Collection<TopicPartition> assigned) {
    Map<String, Uuid> last = listed;
    Set<TopicPartition> suspects = differing(assigned, last);
    return suspects.isEmpty() ? Set.of() : recreatedNow(suspects);
  }

  /** Returns the recreated topics as {@link #recreated} does, without the listing. */
  Set<String> recreatedNow(Collection<TopicPartition> partitions) {
    return recreated(partitions, ids(partitions));
  }

  private Set<String> recreated(Collection<TopicPartition> partitions, Map<String, Uuid> ids) {
    Set<TopicPartition> recreated = differing(partitions, ids);
    recreated.forEach(partition -> losses.recreated(partition, ids.get(partition.topic())));
    read.keySet().removeAll(recreated); // the restarted tasks set the ids
    return recreated.stream().map(TopicPartition::topic).collect(Collectors.toSet());
  }

  /**
   * Returns the offsets with the ids of their topics. Called between reading and committing
   * records: if a topic still has its id, they all come from the same log.
   *
   * @param described existing topics, fetched after the records; offsets of others are omitted
   * @throws ChangedSourceException if a topic was recreated since its partitions were read
   */
  Map<TopicPartition, OffsetAndMetadata> withIds(
      Map<TopicPartition, OffsetAndMetadata> offsets, Map<String, TopicDescription> described) {
    Set<String> recreated = recreated(offsets.keySet(), PartitionCounts.ids(described));
    if (!recreated.isEmpty()) {
      throw new ChangedSourceException(
          "Source topics %s were deleted and created again".formatted(recreated));
    }
    Map<TopicPartition, OffsetAndMetadata> withIds = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          Uuid id = includes(partition) ? read.get(partition) : null;
          if (!includes(partition) || described.containsKey(partition.topic())) {
            withIds.put(partition, id == null ? offset : CommittedTopicId.add(offset, id));
          }
        });
    return withIds;
  }

  private Set<TopicPartition> differing(
      Collection<TopicPartition> partitions, Map<String, Uuid> ids) {
    return partitions.stream()
        .filter(
            partition -> {
              Uuid was = read.get(partition);
              Uuid now = ids.get(partition.topic());
              return was != null && now != null && !was.equals(now);
            })
        .collect(Collectors.toSet());
  }

  private Map<String, Uuid> ids(Collection<TopicPartition> partitions) {
    return PartitionCounts.ids(describe(partitions, refused -> {}));
  }

  /**
   * Describes the existing topics of partitions, without internal ones.
   *
   * @param refused receives the topics that this client may not read
   * @throws TimeoutException if the broker does not answer
   */
  Map<String, TopicDescription> describe(
      Collection<TopicPartition> partitions, Consumer<String> refused) {
    Set<String> topics =
        partitions.stream()
            .filter(this::includes)
            .map(TopicPartition::topic)
            .collect(Collectors.toSet());
    try {
      return topics.isEmpty() ? Map.of() : PartitionCounts.readable(admin, topics, refused);
    } catch (ExecutionException e) {
      throw new TimeoutException("Failed to describe the source topics " + topics, e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
