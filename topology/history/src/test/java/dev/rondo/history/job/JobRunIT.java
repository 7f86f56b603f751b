package dev.rondo.history.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.job.JobState.Phase;
import dev.rondo.rows.WriteMode;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that is paused, cancelled or was killed, beside a real broker and PostgreSQL. */
class JobRunIT {
  private static final Job JOB =
      new Job(
          "1",
          List.of(new Job.Range("points", 0, 100, 150)),
          Map.of(),
          0,
          1,
          0,
          WriteMode.FILL,
          List.of(),
          0,
          1,
          List.of());

  @TempDir Path dir;
  private final KafkaSpace kafka = TestBed.kafka();
  private FillDatabase database;
  private TopologyConfig live;
  private JobFolder folder;

  @BeforeEach
  void start() throws Exception {
    database = new FillDatabase();
    var properties = new Properties();
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("rondo.prefix", kafka.prefix());
    properties.put("state.dir", dir.resolve("state").toString());
    live = TopologyConfig.of(properties);
    folder = JobFolder.create(dir.resolve("jobs"), JOB);
    Files.writeString(
        new JobTopology(live, JOB, folder).policies(),
        "policies: [{name: all, match: '.*', step: 10s, heartbeat: 1h, archives: ['10s:1h']}]");
  }

  @AfterEach
  void stop() throws Exception {
    database.close();
  }

  private void run() throws Exception {
    run(JOB, folder);
  }

  private void run(Job job, JobFolder folder) throws Exception {
    var progress =
        new JobRun.Listener() {
          @Override
          public void at(Job job, JobState state) {}

          @Override
          public void line(String text) {}
        };
    try (JobRow row =
        new JobRow(job, new WriteSession(database::connectFiller, line -> {}), System::nanoTime)) {
      new JobRun(live, folder, database::connectFiller, ident -> true, "test", progress, row).run();
    }
  }

  @Test
  void shouldRestWhilePausedBeforeItReads() throws Exception {
    folder.pause(true);
    var end =
        CompletableFuture.runAsync(
            () -> {
              try {
                run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });

    Set<Long> reports = new HashSet<>();
    await()
        .until(
            () -> {
              assertThat(end).isNotDone();
              reports.add(folder.state().updatedMs());
              return reports.size() > 3;
            });
    assertThat(folder.state().phase()).isEqualTo(Phase.WAITING);
    assertThat(folder.dir().resolve("worker-1.pid")).doesNotExist();
    assertThat(database.value("select state from replay_job")).isEqualTo("paused");

    folder.cancel();
    end.join();
    assertThat(folder.state().phase()).isEqualTo(Phase.CANCELLED);
    assertThat(database.value("select count(*) from replay_job")).isEqualTo("0");
  }

  @Test
  void shouldEndTheWorkersOfARunThatWasKilled() throws Exception {
    Path settings = folder.dir().resolve("worker-1.properties");
    Process worker = new ProcessBuilder("sh", "-c", "sleep 600; :", settings.toString()).start();
    Files.writeString(folder.dir().resolve("worker-1.pid"), Long.toString(worker.pid()));
    folder.cancel();

    run();

    assertThat(worker.isAlive()).isFalse();
    assertThat(folder.state().phase()).isEqualTo(Phase.CANCELLED);
  }

  @Test
  void shouldNotClearSlotsOfRecordsThatKafkaHasDeletedSinceItsStart() throws Exception {
    String topic = kafka.source("deleted");
    try (Admin admin = Admin.create(kafka.client());
        var producer =
            new KafkaProducer<>(
                kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      NewTopics.create(admin, List.of(new NewTopic(topic, 1, (short) 1)));
      for (int n = 0; n < 4; n++) {
        producer.send(new ProducerRecord<>(topic, ("a 1 " + n).getBytes(UTF_8))).get();
      }
      var deleted = Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2));
      admin.deleteRecords(deleted).all().get();
    }
    List<Job.Range> parts = List.of(new Job.Range(topic, 0, 0, 4));
    var job =
        new Job("2", parts, Map.of(), 0, 1, 0, WriteMode.OVERWRITE, List.of(), 0, 1, List.of());
    JobFolder own = JobFolder.create(dir.resolve("jobs"), job);
    Files.copy(folder.dir().resolve("policies.yaml"), own.dir().resolve("policies.yaml"));

    assertThatThrownBy(() -> run(job, own))
        .hasMessageContaining("Kafka has deleted records of " + topic + "-0")
        .hasMessageContaining("up to offset 2");
    assertThat(own.dir().resolve("worker-1.pid")).doesNotExist();
  }
}
