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
 * Reads topic ids and offset bounds from Kafka. Connect gives a task neither topic ids nor its own
 * connection, so this needs a connection; without settings for one, logs are unknown.
 */
public final class TopicLogs {
  private final Map<String, Object> settings;

  /**
   * Reads with an Admin client of these settings.
   *
   * @param settings of Kafka's Admin client; empty: Kafka is not asked
   */
  public TopicLogs(Map<String, Object> settings) {
    this.settings = settings;
  }

  /**
   * The log of a partition.
   *
   * @param topicId changes when the topic is deleted and recreated; zeros: unknown
   * @param begin first offset that Kafka still has
   * @param end offset of the next record
   */
  record Log(UUID topicId, long begin, long end) {
    static final Log UNKNOWN = new Log(new UUID(0, 0), 0, Long.MAX_VALUE);

    boolean isUnknown() {
      return topicId.equals(UNKNOWN.topicId);
    }

    /** The offset nearest to {@code offset} that Kafka can deliver from. */
    long nearest(long offset) {
      return Math.max(begin, Math.min(offset, end));
    }
  }

  /**
   * Reads the logs of {@code partitions}.
   *
   * @throws NoKafkaException when Kafka does not answer or does not authorize the user
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
