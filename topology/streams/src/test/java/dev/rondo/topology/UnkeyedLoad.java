package dev.rondo.topology;

import dev.rondo.embedded.NewTopics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Hosts that send a record with all their series once a second, to changing partitions of a topic.
 */
final class UnkeyedLoad implements AutoCloseable {
  private static final int HOSTS = Integer.getInteger("rondo.it.hosts", 40);
  private static final int SERIES_OF_HOST = 50;

  /** Number of all series. */
  static final int SERIES = HOSTS * SERIES_OF_HOST;

  private final String topic;
  private final int partitions;
  private final Producer<byte[], byte[]> producer;
  private final ScheduledExecutorService clock = new ScheduledThreadPoolExecutor(1);
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();
  private Future<?> sending;

  /** Creates the topic; sends nothing yet. */
  UnkeyedLoad(String bootstrap, String topic, int partitions) throws Exception {
    this.topic = topic;
    this.partitions = partitions;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopics.create(admin, List.of(new NewTopic(topic, partitions, (short) 1)));
    }
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Points that the broker has acknowledged. */
  long sent() {
    return sent.get();
  }

  /** Starts sending. */
  void resume() {
    if (sending == null) {
      sending = clock.scheduleAtFixedRate(this::sendRound, 0, 1, TimeUnit.SECONDS);
    }
  }

  /** Stops sending; returns when the broker has acknowledged all records. */
  void pause() throws ExecutionException, InterruptedException {
    sending.cancel(false);
    sending = null;
    clock.submit(() -> {}).get();
  }

  private void sendRound() {
    int round = rounds.getAndIncrement();
    long nowS = System.currentTimeMillis() / 1000;
    List<Future<RecordMetadata>> records = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      StringBuilder lines = new StringBuilder();
      for (int s = 0; s < SERIES_OF_HOST; s++) {
        lines.append("load.h%d.s%d %d %d%n".formatted(host, s, round, nowS));
      }
      byte[] value = lines.toString().getBytes(StandardCharsets.UTF_8);
      int partition = (host + round) % partitions;
      records.add(producer.send(new ProducerRecord<>(topic, partition, null, value)));
    }
    try {
      for (Future<RecordMetadata> record : records) {
        record.get();
        sent.addAndGet(SERIES_OF_HOST);
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close();
  }
}
