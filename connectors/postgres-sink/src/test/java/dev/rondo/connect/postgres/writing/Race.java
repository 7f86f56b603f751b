package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.errors.SqlStates;
import dev.rondo.connect.postgres.harness.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Two tasks on separate connections: one writes between any two statements of the other, and
 * repeats until it succeeds.
 */
final class Race implements AutoCloseable {
  private final TestDatabase database;
  private final Database first;
  private final Database second;
  private final ExecutorService rivalThread = Executors.newSingleThreadExecutor();

  Race(TestDatabase database) {
    this.database = database;
    var config = new HashMap<>(database.taskConfig());
    config.compute("connection.url", (key, url) -> url + "&options=-c%20deadlock_timeout=50");
    this.first = new Database(PostgresSinkConfig.of(config));
    this.second = new Database(PostgresSinkConfig.of(config));
  }

  /** What a task does in a transaction. */
  @FunctionalInterface
  interface Write {
    void to(Connection connection) throws SQLException;
  }

  /** Writes {@code before} by both, then {@code theirs} before that statement of {@code ours}. */
  void run(Write before, Write ours, Write theirs, int statement) throws Exception {
    writeAll(first, before);
    writeAll(second, before); // connected
    int rival = backend(second);
    var rivals = new ArrayList<CompletableFuture<Void>>();
    var prepared = new AtomicInteger();
    Runnable step =
        () -> {
          if (prepared.incrementAndGet() == statement) {
            rivals.add(CompletableFuture.runAsync(() -> writeAll(second, theirs), rivalThread));
            Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(3))
                .until(() -> rivals.get(0).isDone() || waitsForUs(rival));
          }
        };
    while (!wrote(first, ours, step)) {} // a deadlock is retried
    if (rivals.isEmpty()) { // fewer statements than that
      writeAll(second, theirs);
    } else {
      rivals.get(0).get();
    }
  }

  @Override
  public void close() {
    rivalThread.shutdown();
    first.close();
    second.close();
  }

  private static boolean wrote(Database to, Write write, Runnable step) throws SQLException {
    try {
      Connection connection = to.connection();
      write.to(hooked(connection, step));
      connection.commit();
      return true;
    } catch (SQLException e) {
      assertThat(SqlStates.verdict(e)).as("%s", e).isEqualTo(SqlStates.Verdict.RETRY);
      to.rollback();
      return false;
    }
  }

  private static void writeAll(Database to, Write write) {
    try {
      while (!wrote(to, write, () -> {})) {}
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** {@code connection} itself, with a step before each statement. */
  private static Connection hooked(Connection connection, Runnable step) {
    return (Connection)
        Proxy.newProxyInstance(
            Race.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                step.run();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static int backend(Database of) throws SQLException {
    try (var statement = of.connection().createStatement();
        var result = statement.executeQuery("select pg_backend_pid()")) {
      result.next();
      return result.getInt(1);
    }
  }

  private boolean waitsForUs(int backend) {
    return database
        .query("select wait_event_type from pg_stat_activity where pid = " + backend)
        .equals(List.of("Lock"));
  }
}
