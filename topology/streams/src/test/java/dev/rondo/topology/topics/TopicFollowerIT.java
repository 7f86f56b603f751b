package dev.rondo.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class TopicFollowerIT {
  private final KafkaSpace kafka = TestBed.kafka();
  private final Topic<String, SeriesEntry> topic = TopicNames.of(kafka.prefix()).of(Topics.SERIES);
  private final List<String> read = new CopyOnWriteArrayList<>();

  /** Holds the follower between two polls. */
  private final Semaphore polls = new Semaphore(1);

  /** A consumer would continue at its position in the new log, which is already longer. */
  @Test
  void shouldReadARecreatedTopicFromItsBeginning() throws Exception {
    try (Admin admin = Admin.create(kafka.client());
        TopicFollower<String, SeriesEntry> follower =
            new TopicFollower<>(
                kafka.client(), admin, topic, (ident, entry) -> read.add(ident), this::polled)) {
      create(admin);
      emit("a", "b");
      follower.start();
      await("the entries").until(() -> read.equals(List.of("a", "b")));
      polls.acquire();
      await("the follower is held").until(polls::hasQueuedThreads);
      admin.deleteTopics(List.of(topic.name())).all().get();
      await("the topic is gone")
          .until(() -> !admin.listTopics().names().get().contains(topic.name()));
      create(admin);
      emit("c", "d", "e", "f");
      polls.release();
      await("all entries of the new topic")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(read).endsWith("c", "d", "e", "f"));
    }
  }

  private void polled(boolean isRead) {
    polls.acquireUninterruptibly();
    polls.release();
  }

  private void create(Admin admin) throws Exception {
    NewTopics.create(admin, List.of(new NewTopic(topic.name(), 1, (short) 1)));
  }

  private void emit(String... idents) throws Exception {
    try (Producer<String, SeriesEntry> producer =
        new KafkaProducer<>(
            kafka.client(), topic.keySerde().serializer(), topic.valueSerde().serializer())) {
      for (String ident : idents) {
        SeriesEntry entry = new SeriesEntry(ident, "default", 1, 1, 0L, "", "", 0L);
        producer.send(new ProducerRecord<>(topic.name(), ident, entry)).get();
      }
    }
  }
}
