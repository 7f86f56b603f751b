package dev.rondo.topology.topics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a topic was deleted and recreated, by its id. A consumer does not report that: it
 * continues at its position in the new log. Not thread-safe.
 */
final class TopicIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(TopicIdentity.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Short, as the calling thread has entries to read. */
  private static final int PATIENCE_MS = 5_000;

  private final Admin admin;
  private final String topic;
  private final Uuid id;
  private long askedNanos;

  /**
   * Fetches the current id.
   *
   * @throws KafkaException if there is no such topic, or Kafka does not answer
   */
  TopicIdentity(Admin admin, String topic) {
    this.admin = admin;
    this.topic = topic;
    this.id = ask();
  }

  /**
   * Whether the topic has another id. Asks Kafka every few seconds; in between, and without an
   * answer or a topic, returns false.
   */
  boolean isOther() {
    if (System.nanoTime() - askedNanos < INTERVAL.toNanos()) {
      return false;
    }
    try {
      return !ask().equals(id);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.debug("Unknown whether topic {} was recreated", topic, e);
      return false;
    }
  }

  private Uuid ask() {
    try {
      return admin
          .describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(PATIENCE_MS))
          .topicNameValues()
          .get(topic)
          .get()
          .topicId();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException answer ? answer : new KafkaException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } finally {
      askedNanos = System.nanoTime();
    }
  }
}
