package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.BundleRow;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A stopped task leaves nothing in its worker, which may run for months. */
class TaskRestartIT {
  private final TestDatabase database = TestDatabase.empty();

  @Test
  void shouldLeaveNoThreadNoBeanAndNoConnection() {
    restart(); // classes are loaded
    Set<Thread> threads = threads();
    Set<String> beans = beans();
    for (int again = 0; again < 5; again++) {
      restart();
    }
    assertThat(beans()).isEqualTo(beans);
    assertThat(threads())
        .filteredOn(thread -> !threads.contains(thread))
        .as("the driver's, which ends after 30 s without a connection")
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(thread -> thread.getName().equals("PostgreSQL-JDBC-Cleaner"));
    String connections =
        "select count(*) from pg_stat_activity where application_name = 'rondo-postgres-sink'"
            + " and datname = current_database()";
    await().untilAsserted(() -> assertThat(database.query(connections)).containsExactly("0"));
  }

  private void restart() {
    var config = Map.copyOf(database.taskConfig());
    var connector = new PostgresSinkConnector();
    connector.start(config);
    var tasks =
        connector.taskConfigs(2).stream()
            .map(task -> TaskContext.start(task, new TaskContext(false)))
            .toList();
    var row =
        new BundleRow(
            "p", "wmean", 10_000L, 1000, 4, 0.5, false, "wmean", 1, 7, 70_000L, List.of(1.0));
    tasks.forEach(task -> task.put(List.of(Records.row(row))));
    tasks.forEach(PostgresSinkTask::stop);
    connector.stop();
  }

  /** Excludes the JVM's own threads, such as those that watch processes. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getThreadGroup() != null && thread.getThreadGroup().getName().equals("main"))
        .collect(Collectors.toSet());
  }

  private static Set<String> beans() {
    return ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
        .map(Object::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
