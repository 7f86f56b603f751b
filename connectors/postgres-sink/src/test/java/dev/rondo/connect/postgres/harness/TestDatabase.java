package dev.rondo.connect.postgres.harness;

import dev.rondo.embedded.FileTree;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.testbed.Database;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** A real PostgreSQL with Rondo's tables. */
public final class TestDatabase {
  /** {@code dp} as text, up to its last known value. */
  public static final String VALUES = "regexp_replace(ts.dp::text, '(,?NaN)+}$', '}')";

  /** Condition for rows that have a slot and are not only preallocated. */
  public static final String HAS_SLOT = "ts.t > '-infinity'";

  private static final int VALIDATION_S = 20;

  private static TestDatabase shared;
  private static TestDatabase own;

  private final Path dir;
  private final Database database;
  private PostgresServer server;
  private Connection connection;

  private TestDatabase(Path dir, Database database, PostgresServer server) {
    this.dir = dir;
    this.database = database;
    this.server = server;
  }

  /** The database of this JVM on the server that all tests share, with empty tables. */
  public static synchronized TestDatabase empty() {
    if (shared == null) {
      shared = new TestDatabase(null, TestBed.lastingDatabase(), null);
    }
    shared.truncate();
    return shared;
  }

  /**
   * The database of this JVM on its own server, with empty tables. A test may kill, restore and
   * configure the server, which is to run as before when the test ends.
   */
  public static synchronized TestDatabase ofOwnServer() {
    if (own == null) {
      own = dedicated();
      own.execute("alter system set fsync = off"); // a killed server loses nothing by that
      own.query("select pg_reload_conf()");
    } else if (!own.server.process().isAlive()) {
      own.startAgain();
    }
    own.truncate();
    return own;
  }

  /** The database of a separate server, for one class. */
  public static TestDatabase dedicated() {
    Path dir = TestBed.folder("postgres-");
    TestDatabase dedicated = of(dir, PostgresServer.start(dir, 0));
    Flyway.configure()
        .dataSource(dedicated.jdbcUrl(), null, null)
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
    return dedicated;
  }

  private static TestDatabase of(Path dir, PostgresServer server) {
    return new TestDatabase(dir, new Database(server.port(), "rondo"), server);
  }

  /** Empties all tables. */
  public void truncate() {
    execute("truncate rra_bundle, ds, ts, event, applied_offset restart identity");
  }

  /** A standby of this one, which is stopped for a moment to be copied. */
  public TestDatabase standby() {
    Path copy = backUp();
    try {
      Files.createFile(copy.resolve("data/standby.signal"));
      Files.writeString(
          copy.resolve("data/postgresql.auto.conf"),
          "primary_conninfo = 'host=127.0.0.1 port=%d user=rondo'%n".formatted(port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(copy, PostgresServer.start(copy, 0));
  }

  /** A copy of its data, for which it is stopped for a moment. */
  public Path backUp() {
    Path copy = TestBed.folder("postgres-");
    stop();
    run("cp", "-a", folder().toString(), copy.toString());
    startAgain();
    return copy;
  }

  /** Restores the data of {@code backup}. */
  public void restore(Path backup) {
    stop();
    try {
      FileTree.delete(folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("cp", "-a", backup.resolve("data").toString(), dir.toString());
    startAgain();
  }

  public void kill() {
    server.kill();
  }

  public void startAgain() {
    server = PostgresServer.start(dir, server.port());
  }

  /** Freezes its processes; clients that connect wait without end. */
  public void freeze() {
    signal("-STOP");
  }

  public void thaw() {
    signal("-CONT");
  }

  /** Folder of its data. */
  public Path folder() {
    return dir.resolve("data");
  }

  /** Stops it; it can be started again with its data. */
  public void stop() {
    server.close();
  }

  /** Stops it and deletes its data. */
  public void remove() {
    server.close();
    try {
      FileTree.delete(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return database.port();
  }

  /** Name of the database. */
  public String name() {
    return database.name();
  }

  public String jdbcUrl() {
    return database.jdbcUrl();
  }

  /** Config of a task that writes here; {@code more}: keys and values. */
  public Map<String, String> taskConfig(String... more) {
    var config = new HashMap<>(Map.of("connection.url", jdbcUrl()));
    for (int k = 0; k < more.length; k += 2) {
      config.put(more[k], more[k + 1]);
    }
    return config;
  }

  public synchronized void execute(String sql) {
    try (var statement = connection().createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Each row as its columns' text, joined by {@code |}; null as {@code -}. */
  public synchronized List<String> query(String sql) {
    try (var statement = connection().createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      var rows = new ArrayList<String>();
      while (result.next()) {
        var columns = new ArrayList<String>();
        for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
          String text = result.getString(c);
          columns.add(text == null ? "-" : text);
        }
        rows.add(String.join("|", columns));
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Rows of a query, each as a key and the rest. */
  synchronized Map<String, String> read(String sql, RowReader reader) {
    try (var statement = connection().createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      var rows = new HashMap<String, String>();
      while (result.next()) {
        Map.Entry<String, String> row = reader.read(result);
        rows.put(row.getKey(), row.getValue());
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** One for all queries: a new one costs more than most of them. */
  private Connection connection() throws SQLException {
    if (connection == null || !connection.isValid(VALIDATION_S)) {
      connection = database.connect();
    }
    return connection;
  }

  /** Reads the row that a result is at. */
  @FunctionalInterface
  interface RowReader {
    Map.Entry<String, String> read(ResultSet row) throws SQLException;
  }

  private void signal(String name) {
    var command = new ArrayList<>(List.of("kill", name));
    for (ProcessHandle process : ProcessTree.of(server.process()).members()) {
      command.add(Long.toString(process.pid()));
    }
    run(command.toArray(String[]::new)); // one may have ended by now
  }

  private static void run(String... command) {
    try {
      new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
