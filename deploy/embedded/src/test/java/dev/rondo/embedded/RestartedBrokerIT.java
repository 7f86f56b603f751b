package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is killed or stopped during commits of transactions, and restarted. */
@Tag("long")
@Timeout(300)
class RestartedBrokerIT {
  private static final String TOPIC = "counted";
  private static final int PRODUCERS = 16;
  private static final int COMMITS_BEFORE = 10;
  private static final Duration BOUND = Duration.ofSeconds(100);
  private static final List<TopicPartition> PARTITIONS =
      IntStream.range(0, 4).mapToObj(partition -> new TopicPartition(TOPIC, partition)).toList();

  @TempDir Path dir;

  /** Counts from 0: one transaction per number, which writes it to every partition. */
  private static final class Counting extends Thread {
    final int id;
    private final String bootstrap;
    final AtomicInteger committed = new AtomicInteger();
    volatile boolean isOver;
    private volatile KafkaException failure;

    Counting(int id, String bootstrap) {
      this.id = id;
      this.bootstrap = bootstrap;
    }

    @Override
    public void run() {
      var producer = producer(bootstrap, id);
      try {
        initTransactions(producer);
        while (!isOver) {
          producer.beginTransaction();
          for (TopicPartition to : PARTITIONS) {
            Future<?> unused =
                producer.send(record(to, id, committed.get())); // the commit fails if this does
          }
          producer.commitTransaction();
          committed.incrementAndGet();
        }
      } catch (KafkaException e) {
        failure = e; // expected once the broker is gone
      } finally {
        producer.close(Duration.ZERO);
      }
    }

    /** Retries after a timeout, like Kafka Streams. */
    private static void initTransactions(KafkaProducer<?, ?> producer) {
      try {
        producer.initTransactions();
      } catch (TimeoutException e) {
        producer.initTransactions();
      }
    }

    @Override
    public String toString() {
      String failed = failure == null ? "" : ", failed: " + failure;
      return "producer " + id + ": " + committed + " commits" + failed;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldFinishInterruptedCommits(boolean isKilled) throws Exception {
    int port = FreePort.choose();
    var counting = new ArrayList<Counting>();
    try (var broker = KafkaBroker.start(dir, port)) {
      createTopic(broker.bootstrap());
      IntStream.range(0, PRODUCERS)
          .forEach(id -> counting.add(new Counting(id, broker.bootstrap())));
      counting.forEach(Thread::start);
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(counting)
                      .allMatch(one -> one.committed.get() >= COMMITS_BEFORE, "has committed"));
      if (isKilled) {
        broker.kill();
      } // otherwise it is stopped
    }
    counting.forEach(one -> one.isOver = true); // a later commit would end open transactions
    try (var broker = KafkaBroker.start(dir, port)) {
      for (Counting one : counting) {
        one.join();
        abortWhatIsOpen(broker.bootstrap(), one.id);
      }

      await().atMost(BOUND).untilAsserted(() -> assertThat(open(broker.bootstrap())).isEmpty());
      List<Map<Integer, List<Integer>>> read = read(broker.bootstrap());
      assertThat(read).allMatch(read.get(0)::equals); // a transaction is in all partitions or none
      for (Counting one : counting) {
        List<Integer> numbers = read.get(0).get(one.id);
        assertThat(numbers).isEqualTo(IntStream.range(0, numbers.size()).boxed().toList());
        assertThat(numbers).hasSizeBetween(one.committed.get(), one.committed.get() + 1);
      }
    }
  }

  private static void createTopic(String bootstrap) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopics.create(admin, List.of(new NewTopic(TOPIC, PARTITIONS.size(), (short) 1)));
    }
  }

  private static KafkaProducer<Integer, Integer> producer(String bootstrap, int id) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", bootstrap, "transactional.id", "counting-" + id, "linger.ms", 0),
        new IntegerSerializer(),
        new IntegerSerializer());
  }

  private static ProducerRecord<Integer, Integer> record(TopicPartition to, int id, int number) {
    return new ProducerRecord<>(to.topic(), to.partition(), id, number);
  }

  private static void abortWhatIsOpen(String bootstrap, int id) {
    try (var producer = producer(bootstrap, id)) {
      producer.initTransactions();
    }
  }

  /** Returns partitions with an open transaction. */
  private static List<TopicPartition> open(String bootstrap)
      throws InterruptedException, ExecutionException {
    try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      var open = new ArrayList<TopicPartition>();
      admin
          .describeProducers(PARTITIONS)
          .all()
          .get()
          .forEach(
              (partition, state) -> {
                if (state.activeProducers().stream()
                    .anyMatch(one -> one.currentTransactionStartOffset().isPresent())) {
                  open.add(partition);
                }
              });
      return open;
    }
  }

  /** Returns the committed numbers of each producer by partition, in order. */
  private static List<Map<Integer, List<Integer>>> read(String bootstrap) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed");
    try (var consumer =
        new KafkaConsumer<>(config, new IntegerDeserializer(), new IntegerDeserializer())) {
      consumer.assign(PARTITIONS);
      consumer.seekToBeginning(PARTITIONS);
      Map<TopicPartition, Long> ends = consumer.endOffsets(PARTITIONS);
      List<Map<Integer, List<Integer>>> read = new ArrayList<>();
      PARTITIONS.forEach(partition -> read.add(new HashMap<>()));
      while (PARTITIONS.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          read.get(record.partition())
              .computeIfAbsent(record.key(), id -> new ArrayList<>())
              .add(record.value());
        }
      }
      return read;
    }
  }
}
