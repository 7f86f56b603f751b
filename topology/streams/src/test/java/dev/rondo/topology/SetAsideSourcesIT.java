package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A source that is missing, or keyed with another number of partitions, stops no other source. */
class SetAsideSourcesIT {
  private static final int PARTITIONS = 4;
  private static final int SERIES = 8;
  private static final Pattern PARTITIONS_OF =
      Pattern.compile("(?m)^rondo_sources_partitions\\{source=\"(.+)\"} (\\d+)");
  private static final int TIMES = Integer.getInteger("rondo.it.times", 2);

  /** Past, aligned on an hour. */
  private static final long BASE_S = 1_699_920_000L;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String staying = kafka.source("staying");
  private final String leaving = kafka.source("leaving");
  private final String keyed = kafka.source("keyed");
  private final List<TopologyProcess> instances = new ArrayList<>();
  private Admin admin;
  private int rounds;

  @BeforeEach
  void start() {
    admin = Admin.create(kafka.client());
  }

  @AfterEach
  void stop() {
    instances.forEach(TopologyProcess::close);
    admin.close();
  }

  private TopologyProcess instance(String id, String sources) throws Exception {
    Path folder = Files.createDirectories(dir.resolve("instance-" + id));
    TopologyProcess instance =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("instance.id", id)
            .set("sources.file", Files.writeString(folder.resolve("sources.yaml"), sources))
            .set("max.age.ms", Long.MAX_VALUE)
            .set("merge.max.wait.ms", 3_600_000) // a merge that waits for a deleted topic fails
            .set("partitions", PARTITIONS);
    instances.add(instance);
    return instance;
  }

  private String sources() {
    return """
        sources:
          - {topic: %s, format: graphite}
          - {topic: %s, format: graphite}
          - {topic: %s, format: graphite, keyed: true}
        """
        .formatted(staying, leaving, keyed);
  }

  private void startTwo() throws Exception {
    TopologyProcess first = instance("1", sources());
    TopologyProcess second = instance("2", sources());
    CompletableFuture.allOf(
            CompletableFuture.runAsync(first::start), CompletableFuture.runAsync(second::start))
        .join();
  }

  private void create(String topic, int partitions) throws Exception {
    NewTopics.createAgain(admin, new NewTopic(topic, partitions, (short) 1));
  }

  private void delete(String topic) throws Exception {
    admin.deleteTopics(List.of(topic)).all().get();
  }

  /** Writes the next point of each series of each topic, and waits until all are stored. */
  private void round(String... topics) throws Exception {
    rounds++;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (String topic : topics) {
        int partitions = producer.partitionsFor(topic).size();
        for (int s = 0; s < SERIES; s++) {
          String line = "%s.s%d %d %d%n".formatted(topic, s, rounds, BASE_S + 10L * rounds);
          byte[] value = line.getBytes(StandardCharsets.UTF_8);
          sent.add(producer.send(new ProducerRecord<>(topic, s % partitions, null, value)));
        }
      }
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
    for (String topic : topics) {
      await("records of " + topic).until(() -> isCommitted(topic));
    }
    for (TopologyProcess instance : instances) {
      await("no point is held back")
          .until(() -> instance.metric("rondo_merge_buffered_points"), points -> points == 0);
      assertThat(instance.dropped("late")).isZero();
    }
  }

  private boolean isCommitted(String topic) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(kafka.prefix()).partitionsToOffsetAndMetadata().get();
    int partitions =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
    for (int p = 0; p < partitions; p++) {
      var partition = new TopicPartition(topic, p);
      long end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get()
              .offset();
      OffsetAndMetadata at = committed.get(partition);
      if (end > 0 && (at == null || at.offset() != end)) {
        return false;
      }
    }
    return true;
  }

  private void awaitSetAside(String... sources) {
    for (TopologyProcess instance : instances) {
      await("set aside: " + List.of(sources))
          .until(
              () ->
                  instance
                      .get("/metrics")
                      .lines()
                      .filter(line -> line.startsWith("rondo_sources_set_aside{"))
                      .map(line -> line.replaceAll(".*source=\"([^\"]*)\".*", "$1"))
                      .sorted()
                      .toList(),
              found -> found.equals(List.of(sources)));
    }
  }

  /** Partition counts by topic or pattern, as exported by the first instance. */
  private Map<String, Integer> partitions() throws Exception {
    return PARTITIONS_OF
        .matcher(instances.get(0).get("/metrics"))
        .results()
        .collect(
            Collectors.toMap(
                each -> each.group(1).replace("\\\\", "\\"),
                each -> Integer.valueOf(each.group(2))));
  }

  private void assertNoneRestarted() throws Exception {
    for (TopologyProcess instance : instances) {
      String log = Files.readString(instance.settings().resolveSibling("topology.log"));
      assertThat(log.split("health and metrics on port", -1)).hasSize(2);
    }
  }

  @Test
  void shouldReadTheOthersWhileASourceIsDeleted() throws Exception {
    create(staying, 3);
    create(leaving, 3);
    create(keyed, PARTITIONS);
    startTwo();
    round(staying, leaving, keyed);

    for (int n = 0; n < TIMES; n++) {
      String gone = n % 2 == 0 ? leaving : keyed;
      String stays = n % 2 == 0 ? keyed : leaving;
      delete(gone);
      awaitSetAside(gone);
      round(staying, stays);
      create(gone, gone.equals(keyed) ? PARTITIONS : 3);
      awaitSetAside();
      round(staying, leaving, keyed);
    }
    assertNoneRestarted();
  }

  @Test
  @Tag("long")
  void shouldReadASourceThatIsRecreatedAgainAndAgain() throws Exception {
    create(staying, 3);
    create(leaving, 3);
    create(keyed, PARTITIONS);
    startTwo();
    round(staying, leaving, keyed);

    for (int n = 0; n < TIMES; n++) {
      for (int quickly = 0; quickly < 3; quickly++) {
        delete(leaving);
        create(leaving, 3);
      }
      round(staying, leaving, keyed);
    }
    assertNoneRestarted();
  }

  @Test
  void shouldSetAsideAKeyedSourceWithOtherPartitions() throws Exception {
    create(staying, 3);
    create(leaving, 3);
    create(keyed, PARTITIONS);
    startTwo();
    round(staying, leaving, keyed);
    for (int partitions : List.of(1, PARTITIONS + 1)) {
      delete(keyed);
      create(keyed, partitions);
      awaitSetAside(keyed);
      round(staying, leaving);
    }
    delete(keyed);
    create(keyed, PARTITIONS);
    awaitSetAside();
    round(staying, leaving, keyed);

    delete(keyed);
    create(keyed, 1);
    awaitSetAside(keyed);
    assertNoneRestarted();
    for (TopologyProcess instance : instances) {
      instance.end();
      instance.set("partitions.accepted", keyed).start();
    }
    awaitSetAside();
    round(staying, leaving, keyed);
  }

  @Test
  void shouldStartWithoutTheTopicsOfItsSources() throws Exception {
    create(staying, 3);
    String pattern = kafka.source("later") + "\\..*";
    String sources =
        """
        sources:
          - {topic: %s, format: graphite}
          - {topic: %s, format: graphite}
          - {pattern: '%s', format: graphite}
        """;
    instance("1", sources.formatted(staying, leaving, pattern)).start();
    round(staying);
    awaitSetAside(leaving); // a pattern without a topic is not
    assertThat(partitions()).containsOnly(Map.entry(staying, 3), Map.entry(pattern, 0));

    String later = kafka.source("later") + ".a";
    create(later, 2);
    create(leaving, 1);

    awaitSetAside();
    round(staying, leaving, later);
    assertThat(partitions())
        .containsOnly(Map.entry(staying, 3), Map.entry(leaving, 1), Map.entry(later, 2));

    delete(later);
    await("the deleted topic is no source").until(() -> !partitions().containsKey(later));
    awaitSetAside();
    assertNoneRestarted();
  }
}
