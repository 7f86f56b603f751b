package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.history.fill.FillDatabase;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slots for which an overwriting job has no value. The registry has the schema of some records, but
 * not, for now, that of others:
 *
 * <pre>
 *   | schema 1 | schema 2 | schema 1 | no records |
 *   0          10         20         30           40 min
 * </pre>
 */
class ClearedSlotsIT {
  private static final long STEP_MS = 10_000;
  private static final long MINUTE_MS = 60_000;
  private static final String SCHEMA =
      """
      {"type":"record","name":"Reading","fields":[{"name":"load","type":"long"}]}""";

  /** Of all slots before the job. */
  private static final double STORED = 7;

  private final long beginMs = System.currentTimeMillis() / MINUTE_MS * MINUTE_MS - 120 * MINUTE_MS;
  private final long endMs = beginMs + 40 * MINUTE_MS;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final RegistryServer registry =
      RegistryServer.start(0).put("/schemas/ids/1", "AVRO", SCHEMA);
  private final KafkaSpace kafka = TestBed.kafka();
  private final String topic = kafka.source("readings");
  private FillDatabase database;
  private int archive;
  private TopologyConfig live;

  @TempDir Path dir;

  @BeforeEach
  void start() throws Exception {
    database = new FillDatabase();
    archive = database.addArchive("all", "wmean", STEP_MS, 8640, 0.5);
    database.addSeries("load", "all", 0, 1, beginMs);
    database.store(archive, 0, beginMs, endMs, slotEndMs -> new Double[] {STORED});
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            registries: {main: {url: '%s', timeout: 10s, retry: 1ms}}
            sources: [{topic: %s, format: avro, registry: main, mapping: {values: [load]}}]
            """
                .formatted(registry.url(), topic));
    var properties = new Properties();
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("rondo.prefix", kafka.prefix());
    properties.put("state.dir", dir.resolve("state").toString());
    properties.put("sources.file", sources.toString());
    properties.put("partitions", "1");
    live = TopologyConfig.of(properties);
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(
          admin,
          List.of(
              new NewTopic(topic, 1, (short) 1),
              new NewTopic(live.topic(Topics.SERIES_REQUESTS).name(), 1, (short) 1)));
    }
    send(0, 10, 1);
    send(10, 20, 2);
  }

  @AfterEach
  void stop() throws Exception {
    registry.close();
    database.close();
  }

  /** Sends the value 1 each step, between two minutes, with the schema of this id. */
  private void send(int fromMinute, int toMinute, int id) throws Exception {
    byte[] one = {0, 0, 0, 0, (byte) id, 2};
    try (var producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      long toMs = beginMs + toMinute * MINUTE_MS;
      for (long ms = beginMs + fromMinute * MINUTE_MS; ms < toMs; ms += STEP_MS) {
        producer.send(new ProducerRecord<>(topic, 0, ms, null, one)).get();
      }
    }
  }

  private void registryReturns() {
    registry.put("/schemas/ids/2", "AVRO", SCHEMA);
  }

  private JobFolder overwriting(String id) throws Exception {
    var parts = List.of(new Job.Range(topic, 0, 0, 180));
    var job =
        new Job(
            id,
            parts,
            Map.of(),
            beginMs,
            endMs,
            0,
            WriteMode.OVERWRITE,
            List.of(),
            0,
            1,
            List.of());
    JobFolder folder = JobFolder.create(dir.resolve("jobs"), job);
    Files.writeString(
        new JobTopology(live, job, folder).policies(),
        "policies: [{name: all, match: '.*', step: 10s, heartbeat: 30s, archives: ['10s:1d']}]");
    return folder;
  }

  private void run(JobFolder folder) throws Exception {
    var progress =
        new JobRun.Listener() {
          @Override
          public void at(Job job, JobState state) {}

          @Override
          public void line(String text) {
            lines.add(text);
          }
        };
    Job job = folder.job();
    try (JobRow row =
        new JobRow(job, new WriteSession(database::connectFiller, line -> {}), System::nanoTime)) {
      new JobRun(live, folder, database::connectFiller, ident -> true, "test", progress, row).run();
    }
  }

  /** Values of the slots that begin at or after one minute and end before another one. */
  private NavigableMap<Long, Double> slots(int fromMinute, int toMinute) throws Exception {
    return database
        .slots("load", archive)
        .subMap(
            beginMs + fromMinute * MINUTE_MS + STEP_MS,
            true,
            beginMs + toMinute * MINUTE_MS,
            false);
  }

  private void shouldHaveClearedNothing(JobFolder folder) throws Exception {
    assertThat(slots(1, 9).values()).as("schema 1").containsOnly(1.0);
    assertThat(slots(11, 19)).as("schema 2").hasSize(47);
    assertThat(slots(11, 19).values()).as("schema 2").containsOnly(STORED);
    assertThat(slots(21, 29).values()).as("schema 1").containsOnly(1.0);
    assertThat(slots(31, 40).values()).as("no records").containsOnly(STORED);
    assertThat(folder.state().notes())
        .contains("60 unknown-schema")
        .contains("no slot was cleared");
    assertThat(lines)
        .anySatisfy(
            line -> assertThat(line).contains("60 unknown-schema").contains("run it again"));
  }

  @Test
  void shouldClearNothingWhereRecordsCouldNotBeReadForNow() throws Exception {
    send(20, 30, 1);
    JobFolder first = overwriting("1");
    run(first);
    shouldHaveClearedNothing(first);

    registryReturns();
    JobFolder second = overwriting("2");
    run(second);
    assertThat(second.state().notes()).isEmpty();
    assertThat(slots(0, 29)).hasSize(173);
    assertThat(slots(0, 29).values()).containsOnly(1.0);
    assertThat(slots(31, 40)).as("no records").isEmpty();
  }

  @Test
  void shouldRememberOverAKillWhatCouldNotBeRead() throws Exception {
    JobFolder folder = overwriting("1");
    Thread first = new Thread(() -> runUntilKilled(folder));
    first.start();
    await("records of schema 2 that were read")
        .atMost(Duration.ofMinutes(2))
        .until(() -> folder.state().read() == 120);
    await("drops that the worker has written")
        .until(
            () ->
                WorkerDrops.read(new JobTopology(live, folder.job(), folder).drops())
                    .passing()
                    .containsValue(60L));
    long pid = Long.parseLong(Files.readString(folder.dir().resolve("worker-1.pid")));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    first.interrupt();
    first.join();

    registryReturns();
    send(20, 30, 1);
    run(folder);
    shouldHaveClearedNothing(folder);
  }

  private void runUntilKilled(JobFolder folder) {
    try {
      run(folder);
    } catch (Exception e) {
      // it was interrupted
    }
  }
}
