package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.BundleRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers in one URL: the first hangs, and the second is promoted. */
@Timeout(180)
class FailoverIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String ROWS = "select i, dp[1] from ts where t > '-infinity' order by i";

  private TestDatabase first;
  private TestDatabase second;
  private PostgresSinkTask task;

  @BeforeEach
  void start() {
    first = TestDatabase.ofOwnServer();
    second = first.standby();
    task = startTask("1000");
  }

  @AfterEach
  void stop() {
    task.stop();
    first.thaw();
    second.remove();
  }

  @Test
  void shouldWriteToThePromotedStandbyWhileThePreviousPrimaryHangs() {
    write(1);
    await().atMost(BOUND).until(() -> second.query(ROWS).equals(List.of("1|1")));

    first.freeze();
    List<SinkRecord> records = List.of(Records.row(row(2)));
    assertThatThrownBy(() -> task.put(records))
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("[08006]");
    assertThatThrownBy(() -> task.put(records)).isInstanceOf(RetriableException.class);
    second.execute("select pg_promote()");
    write(2);
    assertThat(second.query(ROWS)).containsExactly("1|1", "2|2");

    task.stop();
    task = startTask("600000"); // the timeout of a login is shorter than that of a statement
    write(3);
    assertThat(second.query(ROWS)).containsExactly("1|1", "2|2", "3|3");
  }

  private PostgresSinkTask startTask(String socketTimeoutMs) {
    // Forgets which server was the primary, as in a worker that was just started.
    String url = "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/rondo?hostRecheckSeconds=0";
    return TaskContext.start(
        Map.of(
            "connection.url", url.formatted(first.port(), second.port()),
            "connection.user", "rondo",
            "connection.timeout.ms", "1000",
            "socket.timeout.ms", socketTimeoutMs,
            "retry.backoff.ms", "1",
            "retry.backoff.max.ms", "100"),
        new TaskContext(false));
  }

  /** Again and again, as a worker does. */
  private void write(int i) {
    List<SinkRecord> records = List.of(Records.row(row(i)));
    await()
        .atMost(BOUND)
        .ignoreExceptionsInstanceOf(RetriableException.class)
        .until(
            () -> {
              task.put(records);
              return true;
            });
  }

  private static BundleRow row(int i) {
    return new BundleRow(
        "p",
        "wmean",
        10_000L,
        1000,
        100,
        0.5,
        false,
        "wmean",
        0,
        i,
        i * 10_000L,
        List.of((double) i));
  }
}
