package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.FormatVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upgrades two instances under load, one after the other, to this release, rolls one back, upgrades
 * it again and switches both to the newest format. No slot may be lost or change.
 *
 * <p>The previous release is the class path in {@code rondo.previous.classpath} ({@code DIR/*} of
 * its jars). Without it, this release writes the previous format until it is switched.
 */
@Tag("long")
class RollIT {
  private static final int SERIES = 20;
  private static final int PARTITIONS = 4;
  private static final long STEP_MS = 10_000;

  /** Past, aligned on an hour. */
  private static final long BASE_MS = 1_699_920_000_000L;

  private static final String PREVIOUS = System.getProperty("rondo.previous.classpath", "");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Random random = new Random(3);
  private final TopologyProcess[] instances = new TopologyProcess[2];
  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");

  @Test
  void shouldStoreEveryPointWhileInstancesAreReplaced() throws Exception {
    var sender = Executors.newSingleThreadExecutor();
    try {
      instances[0] = instance(0);
      instances[1] = instance(1);
      CompletableFuture.allOf(
              CompletableFuture.runAsync(instances[0]::start),
              CompletableFuture.runAsync(instances[1]::start))
          .join();
      Future<?> sending = sender.submit(this::sendUntilOver);
      awaitRounds();
      if (!PREVIOUS.isEmpty()) {
        replaceAll();
      }
      for (TopologyProcess instance : instances) {
        instance.close();
        instance.set("format.version", FormatVersion.NEWEST.number()).start();
        awaitRounds();
      }
      isOver.set(true);
      sending.get();
      await("slots of all points").untilAsserted(() -> assertThat(slots()).isEqualTo(model()));
    } finally {
      isOver.set(true);
      sender.shutdown();
      for (TopologyProcess instance : instances) {
        if (instance != null) {
          instance.close();
        }
      }
    }
  }

  /** Upgrades both, rolls one back and upgrades it again, while the other one runs. */
  private void replaceAll() throws Exception {
    replace(0, false);
    awaitRounds();
    replace(1, false);
    awaitRounds();
    replace(0, true); // back
    awaitRounds();
    replace(0, false);
    awaitRounds();
  }

  private void replace(int n, boolean isPrevious) throws Exception {
    instances[n].close();
    instances[n] = instance(n);
    if (!isPrevious) {
      instances[n]
          .from(System.getProperty("java.class.path"))
          .set("format.version", FormatVersion.PREVIOUS.number());
    }
    instances[n].start();
  }

  /** Class path of the previous release, or of its stand-in. */
  private TopologyProcess instance(int n) throws Exception {
    Path folder = Files.createDirectories(dir.resolve("instance-" + n));
    TopologyProcess instance =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", points + "=graphite")
            .set("sources.create", true)
            .set("instance.id", n)
            .set("max.age.ms", Long.MAX_VALUE)
            .set("partitions", PARTITIONS);
    return PREVIOUS.isEmpty()
        ? instance.set("format.version", FormatVersion.PREVIOUS.number())
        : instance.from(PREVIOUS);
  }

  private void awaitRounds() {
    int until = rounds.get() + 30;
    await("rounds of points").until(() -> rounds.get() >= until);
  }

  /** Sends a point of each series per round, to any partition, and waits until all are written. */
  private void sendUntilOver() {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap(), "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      while (!isOver.get()) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int s = 0; s < SERIES; s++) {
          byte[] line = line(s, rounds.get()).getBytes(StandardCharsets.UTF_8);
          int partition = random.nextInt(PARTITIONS);
          sent.add(producer.send(new ProducerRecord<>(points, partition, null, line)));
        }
        for (Future<RecordMetadata> each : sent) {
          each.get();
        }
        rounds.incrementAndGet();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String line(int series, int round) {
    return "roll.s%d %d %d%n".formatted(series, round, (BASE_MS + round * STEP_MS) / 1000);
  }

  /** One point per step, with the value of the slot that it closes. */
  private Map<String, Map<Long, Double>> model() {
    Map<String, Map<Long, Double>> model = new TreeMap<>();
    for (int s = 0; s < SERIES; s++) {
      Map<Long, Double> slots = new TreeMap<>();
      for (int round = 1; round < rounds.get(); round++) {
        slots.put(BASE_MS + round * STEP_MS, (double) round);
      }
      model.put("roll.s" + s, slots);
    }
    return model;
  }

  /** All rows of the finest archive; a slot must have only one value. */
  private Map<String, Map<Long, Double>> slots() {
    // Rows first: the series of a row is written before it, not always before the first reading.
    List<ConsumerRecord<BundleRowKey, BundleRow>> rows = all(own(Topics.BUNDLE_ROWS));
    Map<String, String> idents = new HashMap<>();
    for (ConsumerRecord<String, SeriesEntry> entry : all(own(Topics.SERIES))) {
      idents.put(entry.value().getSeg() + "/" + entry.value().getPos(), entry.key());
    }
    Map<String, Map<Long, Double>> slots = new TreeMap<>();
    for (ConsumerRecord<BundleRowKey, BundleRow> record : rows) {
      BundleRow row = record.value();
      for (int p = 0; row.getStepMs() == STEP_MS && p < row.getDp().size(); p++) {
        double value = row.getDp().get(p);
        if (!Double.isNaN(value)) {
          String location = row.getSeg() + "/" + (p + 1);
          assertThat(idents).as("series").containsKey(location);
          String ident = idents.get(location);
          Double before = slots.computeIfAbsent(ident, i -> new TreeMap<>()).put(row.getT(), value);
          assertThat(before).as(ident + " at " + row.getT()).isIn(null, value);
        }
      }
    }
    return slots;
  }

  private <K, V> Topic<K, V> own(Topic<K, V> topic) {
    return TopicNames.of(kafka.prefix()).of(topic);
  }

  private <K, V> List<ConsumerRecord<K, V>> all(Topic<K, V> topic) {
    List<ConsumerRecord<K, V>> records = new ArrayList<>();
    try (KafkaConsumer<K, V> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed"),
            topic.keySerde().deserializer(),
            topic.valueSerde().deserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic.name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }
}
