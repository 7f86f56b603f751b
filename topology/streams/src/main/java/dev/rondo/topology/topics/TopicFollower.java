package dev.rondo.topology.topics;

import dev.rondo.schemas.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes a topic continuously from its beginning, in its own thread. Restarts from the beginning
 * after a failure or a recreation of the topic.
 */
public final class TopicFollower<K, V> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long RETRY_MS = 1_000;
  private static final long CLOSE_TIMEOUT_MS = 5_000;

  private final Map<String, Object> reader;
  private final Admin admin;
  private final Topic<K, V> topic;
  private final BiConsumer<K, V> entries;
  private final Consumer<Boolean> polled;
  private final Thread thread;
  private volatile boolean isClosed;
  private boolean isRefused; // used by the thread only

  /**
   * @param reader properties of a consumer without a group
   * @param admin client to detect that the topic was recreated
   * @param entries receives each entry, in partition order; the value of a tombstone is null
   * @param polled receives after each poll whether all entries from before the start have been read
   */
  public TopicFollower(
      Map<String, Object> reader,
      Admin admin,
      Topic<K, V> topic,
      BiConsumer<K, V> entries,
      Consumer<Boolean> polled) {
    this.reader = reader;
    this.admin = admin;
    this.topic = topic;
    this.entries = entries;
    this.polled = polled;
    this.thread = new Thread(this::run, topic.name() + "-follower");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!isClosed) {
      try (KafkaConsumer<K, V> consumer =
          new KafkaConsumer<>(
              reader, topic.keySerde().deserializer(), topic.valueSerde().deserializer())) {
        consume(consumer);
      } catch (InterruptException e) {
        return;
      } catch (AuthorizationException e) {
        refused(e);
        pause();
      } catch (RuntimeException e) {
        LOG.warn("Failed to consume {}; retrying in {} ms", topic.name(), RETRY_MS, e);
        pause();
      }
    }
  }

  /** Warns only once, although retries continue. */
  private void refused(AuthorizationException refusal) {
    if (!isRefused) {
      isRefused = true;
      LOG.warn(
          "Not authorized to read topic {}: {} The topology needs Read on topic {}; to see what is"
              + " missing: ./rondo check access --part=topology",
          topic.name(),
          refusal.getMessage(),
          topic.name());
    }
  }

  private void consume(KafkaConsumer<K, V> consumer) {
    TopicIdentity identity = new TopicIdentity(admin, topic.name());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic.name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    boolean isRead = false;
    while (!isClosed && !isRecreated(identity)) {
      for (ConsumerRecord<K, V> entry : consumer.poll(POLL)) {
        entries.accept(entry.key(), entry.value());
      }
      isRefused = false;
      isRead = isRead || partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p));
      polled.accept(isRead);
    }
  }

  private boolean isRecreated(TopicIdentity identity) {
    boolean isRecreated = identity.isOther();
    if (isRecreated) {
      LOG.warn("Topic {} was deleted and recreated; reading it from its beginning", topic.name());
    }
    return isRecreated;
  }

  private void pause() {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      isClosed = true;
    }
  }

  /** Stops the thread; waits at most five seconds. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(CLOSE_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
