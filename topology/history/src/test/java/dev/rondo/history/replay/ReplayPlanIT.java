package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.schemas.Replay;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.Commands;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.ReplayEpoch;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command on a real broker, with offsets as a topology would have left them. Each partition has
 * a record a minute, from noon on: its offset is the minute.
 *
 * <pre>
 *               noon                  13:00                 14:00
 *   metrics/0    0 ─────────────────── 60 ─────────────────── 120    read up to 120
 *   metrics/1    0 ─────────────────── 60 ─────────────────── 120    read up to 120
 *   others/0     0 ─────────────────── 60 ─────────────────── 120    read up to 120
 * </pre>
 */
class ReplayPlanIT {
  private static final int MINUTES = 121;
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static KafkaSpace kafka;
  private static Admin admin;
  private static int tests;

  /** Only used by this test, because a deleted topic lives on for a while. */
  private final String app = kafka.source("app") + tests++;

  private final String metrics = app + "-metrics";
  private final String others = app + "-others";
  private final String bySeries = app + "-by-series-repartition";
  private Path settings;
  private final StringWriter out = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    kafka = TestBed.kafka();
    admin = Admin.create(kafka.client());
    var replays = new NewTopic(kafka.topic("replays"), 1, (short) 1);
    NewTopics.create(admin, List.of(replays));
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @BeforeEach
  void fill() throws Exception {
    Path policies = dir.resolve("policies.yaml");
    Files.writeString(
        policies,
        """
        policies:
          - {name: all, match: '.*', step: 10s, heartbeat: 2m, archives: ["10s:6h", "1h:1y"]}
        """);
    settings = dir.resolve(app + ".properties");
    Files.writeString(
        settings,
        """
        bootstrap.servers=%s
        rondo.prefix=%s
        application.id=%s
        state.dir=%s
        sources=%s,%s
        policies.file=%s
        """
            .formatted(
                kafka.bootstrap(),
                kafka.prefix(),
                app,
                dir.resolve("state"),
                metrics,
                others,
                policies));
    var forEver = Map.of("retention.ms", "-1");
    NewTopics.create(
        admin,
        List.of(
            new NewTopic(metrics, 2, (short) 1).configs(forEver),
            new NewTopic(others, 1, (short) 1).configs(forEver),
            new NewTopic(bySeries, 2, (short) 1).configs(forEver)));
    List<Future<?>> sent = new ArrayList<>();
    try (var producer = producer()) {
      for (int minute = 0; minute < MINUTES; minute++) {
        sent.add(send(producer, metrics, 0, minute));
        sent.add(send(producer, metrics, 1, minute));
        sent.add(send(producer, others, 0, minute));
      }
      for (int n = 0; n < 7; n++) {
        sent.add(send(producer, bySeries, 0, MINUTES - 1));
      }
    }
    for (Future<?> each : sent) {
      each.get();
    }
    commit(
        Map.of(
            metrics + "/0", 121L, metrics + "/1", 121L, others + "/0", 121L, bySeries + "/0", 4L));
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrap(),
            "enable.idempotence",
            false, // idempotence stalls if the topic was only just created
            "max.in.flight.requests.per.connection",
            1);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Future<?> send(
      KafkaProducer<byte[], byte[]> producer, String topic, int partition, int minute) {
    long ms = NOON.plusSeconds(60L * minute).toEpochMilli();
    byte[] value = "a 1 %d".formatted(ms / 1000).getBytes(StandardCharsets.UTF_8);
    return producer.send(new ProducerRecord<>(topic, partition, ms, null, value));
  }

  private static TopicPartition partition(String name) {
    int slash = name.lastIndexOf('/');
    return new TopicPartition(
        name.substring(0, slash), Integer.parseInt(name.substring(slash + 1)));
  }

  private void commit(Map<String, Long> offsets) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> sourceOffsets = new HashMap<>();
    offsets.forEach(
        (name, offset) -> sourceOffsets.put(partition(name), new OffsetAndMetadata(offset)));
    admin.alterConsumerGroupOffsets(app, sourceOffsets).all().get();
  }

  private Map<String, Long> committed() throws Exception {
    Map<String, Long> offsets = new HashMap<>();
    new GroupOffsets(admin, app)
        .committed()
        .forEach((p, offset) -> offsets.put(p.topic() + "/" + p.partition(), offset));
    return offsets;
  }

  private int epoch() throws Exception {
    return ReplayEpoch.read(TopologyConfig.read(Optional.of(settings), Map.of()));
  }

  private int replay(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--config", settings.toString()));
    all.addAll(List.of(arguments));
    return Commands.commandLine(new ReplayCommand())
        .setOut(new PrintWriter(out, true))
        .execute(all.toArray(String[]::new));
  }

  /** 13:10 lies in the hour from 13:00 on; less 2 min and 1 min is 12:57. Now is 14:00. */
  @Test
  void shouldRewindTheRequestedTopicByTimeAndTheOthersByOpenSlots() throws Exception {
    assertThat(replay("--topic", metrics, "--from", "2026-03-01T13:10:00Z")).isZero();
    assertThat(committed())
        .isEqualTo(
            Map.of(
                metrics + "/0",
                57L,
                metrics + "/1",
                57L,
                others + "/0",
                57L, // at 14:00 the slot from 13:00 on may still be open
                bySeries + "/0",
                7L,
                bySeries + "/1",
                0L));
    assertThat(epoch()).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern(metrics + " +0 +121 +57 +64  to complete the requested slots")
        .containsPattern(others + " +0 +121 +57 +64  to keep the open slots")
        .contains("To complete the slots that end after 2026-03-01T13:10:00Z")
        .contains("192 records will be read; 3 records left in %s are skipped".formatted(bySeries))
        .contains("Replay 1 is set.");
  }

  @Test
  void shouldReachBackFurtherForAnEarlierTime() throws Exception {
    assertThat(replay("--topic", metrics, "--from", "2026-03-01T12:59:59Z")).isZero();
    assertThat(committed()).containsEntry(metrics + "/0", 0L).containsEntry(others + "/0", 57L);
    assertThat(out.toString()).doesNotContain("keep their values");
  }

  @Test
  void shouldNeverMoveForwardNorSkipUnreadRecords() throws Exception {
    commit(Map.of(metrics + "/0", 30L, bySeries + "/0", 7L));
    assertThat(replay("--topic", metrics, "--from", "2026-03-01T13:50:00Z")).isZero();
    assertThat(committed())
        .as("slots that were open at 12:30 begin at noon")
        .containsEntry(metrics + "/0", 0L)
        .containsEntry(metrics + "/1", 0L)
        .containsEntry(others + "/0", 0L);
  }

  @Test
  void shouldChangeNothingInADryRun() throws Exception {
    Map<String, Long> before = committed();
    assertThat(replay("--topic", metrics, "--to-earliest", "--dry-run")).isZero();
    assertThat(committed()).isEqualTo(before);
    assertThat(epoch()).isZero();
    assertThat(out.toString())
        .contains("everything that Kafka holds")
        .containsPattern("They hold about \\d+ points, .*: about \\d+ s, if all parts have")
        .contains("Meanwhile graphs keep what they show")
        .contains("Nothing was changed");
  }

  @Test
  void shouldUseGivenOffsetsExactlyAndTheirTimeForOtherPartitions() throws Exception {
    assertThat(replay("--topic", metrics, "--offsets", "1:33")).isZero();
    assertThat(committed())
        .containsEntry(metrics + "/1", 33L)
        .containsEntry(metrics + "/0", 33L)
        .containsEntry(others + "/0", 57L);
    assertThat(out.toString())
        .contains("as early as the given ones")
        .contains("The records read from %s begin at 2026-03-01T12:33:00Z".formatted(metrics))
        .contains("policy all: 10s to 2026-03-01T12:35:00Z, 1h to 2026-03-01T13:00:00Z");
  }

  @Test
  void shouldReportSlotsThatPeriodIncomplete() throws Exception {
    admin
        .deleteRecords(Map.of(partition(metrics + "/0"), RecordsToDelete.beforeOffset(70)))
        .all()
        .get();
    assertThat(replay("--topic", metrics, "--from", "2026-03-01T13:10:00Z")).isZero();
    assertThat(committed()).containsEntry(metrics + "/0", 70L).containsEntry(metrics + "/1", 57L);
    assertThat(out.toString())
        .contains("The records read from %s begin at 2026-03-01T13:10:00Z".formatted(metrics))
        .contains("(policy all: 10s to 2026-03-01T13:12:00Z, 1h to 2026-03-01T14:00:00Z)");
  }

  @Test
  void shouldRaiseTheEpochEachTimeAndKeepThoseOfOtherApplications() throws Exception {
    TopologyConfig other = TopologyConfig.of(withApplication("other"));
    ReplayEpoch.write(other, new Replay(41, 0L, List.of(metrics), "--to-earliest"));
    for (int expected : new int[] {1, 2, 3}) {
      assertThat(replay("--topic", others, "--to-earliest")).isZero();
      assertThat(epoch()).isEqualTo(expected);
    }
    assertThat(ReplayEpoch.read(other)).isEqualTo(41);
  }

  private static Properties withApplication(String id) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("rondo.prefix", kafka.prefix());
    properties.put("state.dir", "unused");
    properties.put("application.id", id);
    return properties;
  }

  @Test
  void shouldRefuseAnApplicationThatHasNeverRun() throws Exception {
    var group = new GroupOffsets(admin, "never");
    assertThatThrownBy(group::checkHasRun)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the consumer group 'never' has no offsets");
    assertThat(group.members()).isEmpty();
    assertThatThrownBy(() -> group.bySeries("never-by-series-repartition"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  void shouldRejectOffsetsThatKafkaDoesNotHold() throws Exception {
    Map<String, Long> before = committed();
    assertThat(replay("--topic", metrics, "--offsets", "0:500")).isEqualTo(2);
    assertThat(replay("--topic", metrics, "--offsets", "2:0")).isEqualTo(2);
    assertThat(committed()).isEqualTo(before);
    assertThat(epoch()).isZero();
  }

  @Test
  void shouldRefuseWhileTheGroupHasMembers() throws Exception {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrap(),
            "group.id",
            app,
            "group.instance.id",
            "7",
            "session.timeout.ms",
            6000,
            "enable.auto.commit",
            false);
    Map<String, Long> before = committed();
    var group = new GroupOffsets(admin, app);
    try (var member =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      member.subscribe(List.of(others));
      await()
          .until(
              () -> {
                member.poll(Duration.ofMillis(100));
                return !member.assignment().isEmpty();
              });
      assertThat(replay("--topic", metrics, "--to-earliest")).isEqualTo(1);
      assertThat(out.toString())
          .contains("for instance 7 at /127.0.0.1 to leave the consumer group");
      assertThatThrownBy(() -> group.set(Map.of(partition(others + "/0"), 0L)))
          .as("Kafka itself refuses it")
          .hasMessageContaining("UnknownMemberId");
      assertThat(replay("--topic", metrics, "--to-earliest", "--dry-run")).isZero();
    }
    assertThat(committed()).isEqualTo(before);
    await().until(() -> group.members().isEmpty());
  }

  @Test
  void shouldReadPartitionsThatWereNeverReadFromTheirBeginning() throws Exception {
    admin.deleteConsumerGroupOffsets(app, Set.of(partition(others + "/0"))).all().get();
    assertThat(replay("--topic", metrics, "--from", "2026-03-01T13:10:00Z")).isZero();
    assertThat(committed()).containsEntry(others + "/0", 0L);
    assertThat(out.toString()).containsPattern(others + " +0 +none +0 +121 ");
    assertThat(IntStream.range(0, 2).mapToObj(p -> metrics + "/" + p))
        .allSatisfy(p -> assertThat(committed()).containsEntry(p, 0L));
  }
}
