package dev.rondo.embedded;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates topics that are immediately usable. */
public final class NewTopics {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final long POLL_MS = 5;

  private NewTopics() {}

  /**
   * Creates topics; returns when a broker can describe them. Kafka answers when its controller has
   * the topics, before each broker has them: until then a broker accepts records for a previous
   * topic of the name, and loses them.
   *
   * @throws ExecutionException if one of them cannot be created
   * @throws IllegalStateException if they are not known within a minute
   */
  public static void create(Admin admin, Collection<NewTopic> topics)
      throws ExecutionException, InterruptedException {
    CreateTopicsResult created = admin.createTopics(topics);
    created.all().get();
    List<String> names = topics.stream().map(NewTopic::name).toList();
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!areKnown(admin, created, names)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "topics %s were created, but brokers do not know them after %s"
                .formatted(names, TIMEOUT));
      }
      Thread.sleep(POLL_MS);
    }
  }

  /**
   * Creates a deleted topic again, like {@link #create}, as soon as Kafka allows it: Kafka deletes
   * a topic some time after it confirms the deletion.
   *
   * @throws ExecutionException if it cannot be created
   * @throws IllegalStateException if it still exists, or is not known, after a minute
   */
  public static void createAgain(Admin admin, NewTopic topic)
      throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!isCreated(admin, topic)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "topic %s still exists %s after it was deleted".formatted(topic.name(), TIMEOUT));
      }
      Thread.sleep(POLL_MS);
    }
  }

  private static boolean isCreated(Admin admin, NewTopic topic)
      throws ExecutionException, InterruptedException {
    try {
      create(admin, List.of(topic));
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      throw e;
    }
  }

  private static boolean areKnown(Admin admin, CreateTopicsResult created, List<String> names)
      throws ExecutionException, InterruptedException {
    try {
      for (TopicDescription topic : admin.describeTopics(names).allTopicNames().get().values()) {
        if (!topic.topicId().equals(created.topicId(topic.name()).get())
            || topic.partitions().stream().anyMatch(partition -> partition.leader() == null)) {
          return false;
        }
      }
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }
}
