package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.embedded.FakeClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clock of a worker's machine is set back by an hour while rows flow. */
@Timeout(300)
class ClockSetBackIT {
  @TempDir Path dir;

  private final TestDatabase database = TestDatabase.ofOwnServer();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String topic = kafka.name("rows");
  private final FlowingRows rows = new FlowingRows(kafka, topic, database);

  @AfterEach
  void stop() {
    rows.close();
  }

  /** What its tasks look for at each commit, such as a restore, they would not see for an hour. */
  @Test
  void shouldCommitAgainAndSurviveARestartOfPostgresql() throws Exception {
    FakeClock clock = clockAhead();
    commitAgain(clock, TestWorker.startWith(clock));
  }

  @Test
  @Tag("long")
  void shouldCommitAgainInAStandaloneWorker() throws Exception {
    FakeClock clock = clockAhead();
    commitAgain(clock, TestWorker.startStandalone(clock));
  }

  private void commitAgain(FakeClock clock, TestWorker started) throws Exception {
    kafka.createTopics(6, topic);
    try (TestWorker worker = started) {
      worker.put(sink, config());
      worker.awaitTasks(sink, 2);
      rows.start();
      awaitCommit();
      clock.set(Duration.ZERO);
      rows.awaitNewer(300);
      awaitCommit();
      awaitCommit();
      database.kill();
      database.startAgain();
      rows.awaitNewer(300);
      awaitCommit();
      rows.stop();
      rows.awaitAllStored();
    }
  }

  /** It would stop its tasks with the next restart of the broker, and not return to its group. */
  @Test
  void shouldEndAWorkerWhoseOwnerWantsIt() throws Exception {
    FakeClock clock = clockAhead();
    try (TestWorker worker = TestWorker.startEnding(clock)) {
      clock.set(Duration.ZERO);
      worker.awaitEnd();
      assertThat(worker.log()).contains("The clock of this machine was set back by 3");
    }
  }

  /** The group of the workers does not hear from one of them until its clock has caught up. */
  @Test
  @Tag("long")
  void shouldGoOnBesideAWorkerWhoseClockIsRight() throws Exception {
    kafka.createTopics(6, topic);
    FakeClock clock = clockAhead();
    try (TestWorker worker = TestWorker.startWith(clock);
        TestWorker other = worker.startBeside()) {
      other.put(sink, config());
      other.awaitTasks(sink, 2);
      rows.start();
      rows.awaitNewer(300);
      clock.set(Duration.ZERO);
      rows.awaitNewer(300);
      database.kill();
      database.startAgain();
      rows.awaitNewer(300);
      rows.stop();
      rows.awaitAllStored();
    }
  }

  /** Waits until the group has committed records that do not exist yet. */
  private void awaitCommit() throws Exception {
    long end = kafka.end(topic);
    await("the group has committed up to " + end)
        .atMost(TestWorker.BOUND)
        .until(() -> kafka.committed("connect-" + sink) > end);
  }

  private FakeClock clockAhead() throws IOException {
    Path library = FakeClock.library().orElse(null);
    assumeTrue(library != null, "no libfaketime to set a clock with: apt install faketime");
    var clock = new FakeClock(library, dir.resolve("clock"));
    clock.set(Duration.ofHours(1));
    return clock;
  }

  private Map<String, String> config() {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), 2, topic);
    config.put("retry.backoff.max.ms", "400");
    config.put("consumer.override.isolation.level", "read_committed");
    return config;
  }
}
