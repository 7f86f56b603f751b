package dev.rondo.connect.postgres.offsets;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * What Kafka has of the partitions. Connect shows a task neither the ids of topics nor its
 * connection, so it needs one; without, nothing is known.
 */
public final class TopicLogs {
  private final Map<String, Object> settings;

  /**
   * Reads with an Admin client of these settings.
   *
   * @param settings of Kafka's Admin; empty: it is not asked
   */
  public TopicLogs(Map<String, Object> settings) {
    this.settings = settings;
  }

  /**
   * The log of a partition.
   *
   * @param topicId another one once the topic has been deleted and made anew; zeros: not known
   * @param begin first offset that is left
   * @param end offset of the next record
   */
  record Log(UUID topicId, long begin, long end) {
    static final Log UNKNOWN = new Log(new UUID(0, 0), 0, Long.MAX_VALUE);

    boolean isUnknown() {
      return topicId.equals(UNKNOWN.topicId);
    }

    /** The offset to read from in order to go on at {@code offset}. */
    long nearest(long offset) {
      return Math.max(begin, Math.min(offset, end));
    }
  }

  /**
   * @throws NoKafkaException when Kafka does not answer, or not to this user
   */
  Map<TopicPartition, Log> read(Collection<TopicPartition> partitions) {
    if (settings.isEmpty() || partitions.isEmpty()) {
      return partitions.stream().collect(Collectors.toMap(Function.identity(), p -> Log.UNKNOWN));
    }
    try (Admin admin = Admin.create(settings)) {
      return read(admin, partitions);
    } catch (ExecutionException e) {
      throw new NoKafkaException(e.getCause());
    } catch (KafkaException e) {
      throw new NoKafkaException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoKafkaException(e);
    }
  }

  private static Map<TopicPartition, Log> read(Admin admin, Collection<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> topics =
        admin
            .describeTopics(partitions.stream().map(TopicPartition::topic).distinct().toList())
            .allTopicNames()
            .get();
    var begins = offsets(admin, partitions, OffsetSpec.earliest());
    var ends = offsets(admin, partitions, OffsetSpec.latest());
    var logs = new HashMap<TopicPartition, Log>();
    for (TopicPartition partition : partitions) {
      Uuid id = topics.get(partition.topic()).topicId();
      logs.put(
          partition,
          new Log(
              new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
              begins.get(partition).offset(),
              ends.get(partition).offset()));
    }
    return logs;
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(partitions.stream().collect(Collectors.toMap(Function.identity(), p -> spec)))
        .all()
        .get();
  }
}
