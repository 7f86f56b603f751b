package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.Event;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events in PostgreSQL. */
class EventsIT {
  private static final String TABLE =
      "select extract(epoch from t) * 1000, what, tags, data, origin from event order by t";

  private final TestDatabase database = TestDatabase.empty();
  private PostgresSinkTask task;

  @AfterEach
  void stop() {
    task.stop();
  }

  @Test
  void shouldStoreEachOriginOnce() {
    start("0");
    task.put(List.of(event("ci-0@7#0@9", 1_234, "deploy", "web", "a \"b\"")));
    task.put(
        List.of(
            event("ci-0@7#0@9", 5_000, "read again", "web"),
            event("ci-0@7#1@9", 5_000, "restart"),
            event("ci-0@7#1@9", 5_000, "restart")));
    assertThat(database.query(TABLE))
        .containsExactly(
            "1234.000000|deploy|{web,\"a \\\"b\\\"\"}||ci-0@7#0@9",
            "5000.000000|restart|{}||ci-0@7#1@9");
  }

  /** The newest slot says how late it is, also of a database whose clock is ahead. */
  @ParameterizedTest
  @CsvSource({"0 days, kept;new", "2 days, old;too old;kept;new", "-9 days, kept;new"})
  void shouldDeleteEventsOlderThanTheRetention(String newestSlot, String left) {
    start("3");
    database.execute(
        """
        insert into rra_bundle (policy, cf, step_ms, size, width, xff, latest)
        values ('p', 'wmean', 60000, 10, 8, 0.5, now() - interval '%s' + interval '1 min')
        """
            .formatted(newestSlot));
    long nowMs = System.currentTimeMillis();
    String byHttp =
        "insert into event (t, what, tags, data) values (now() - interval '%s', '%s', '{}', '')";
    database.execute(byHttp.formatted("100 hours", "old"));
    database.execute(byHttp.formatted("50 hours", "kept"));
    task.put(
        List.of(
            event("ci-0@1#0@9", nowMs, "new"),
            event("ci-0@2#0@9", nowMs - Duration.ofHours(90).toMillis(), "too old")));
    assertThat(database.query("select string_agg(what, ';' order by t) from event"))
        .containsExactly(left);
  }

  private void start(String retentionDays) {
    task =
        TaskContext.start(
            database.taskConfig("event.retention.days", retentionDays), new TaskContext(false));
  }

  private static SinkRecord event(String origin, long tMs, String what, String... tags) {
    return Records.event(new Event(origin, tMs, what, List.of(tags), ""));
  }
}
