package dev.rondo.tools.backfill.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.backfill.job.JobState.Phase;
import dev.rondo.tools.fill.FillDatabase;
import dev.rondo.tools.slots.WriteMode;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that is paused, cancelled or was killed, beside a real broker and PostgreSQL. */
class JobRunIT {
  private static final Job JOB =
      new Job(
          "1",
          List.of(new Job.Part("points", 0, 100, 150)),
          Map.of(),
          0,
          1,
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
    var progress =
        new JobRun.Progress() {
          @Override
          public void at(Job job, JobState state) {}

          @Override
          public void line(String text) {}
        };
    try (JobRow row =
        new JobRow(JOB, new WriteSession(database::connectFiller, line -> {}), System::nanoTime)) {
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
}
