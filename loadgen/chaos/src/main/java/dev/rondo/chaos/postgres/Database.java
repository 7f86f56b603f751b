package dev.rondo.chaos.postgres;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The data of a PostgreSQL, a base backup of them with the WAL since, and those of a server that is
 * to take its place.
 *
 * @param folder of the server
 * @param url of the database, as superuser
 * @param log of other servers
 */
public record Database(Path folder, PostgresUrl url, Path log) {
  /** Settings for the time until a successor has taken over. */
  private static final String EXTRA = "successor.conf";

  /** Longest wait without another answer. */
  private static final Duration BOUND = Duration.ofMinutes(1);

  private static final Duration LOOK = Duration.ofMillis(250);

  private static final String SETTINGS =
      """
      wal_level = logical
      archive_mode = on
      archive_command = 'cp "%%p" "%1$s/%%f"'
      restore_command = 'cp "%1$s/%%f" "%%p"'
      include_if_exists '%2$s'
      """;

  /** Port of PostgreSQL. */
  int port() {
    return URI.create(url.url()).getPort();
  }

  private Path data() {
    return folder.resolve("data");
  }

  private Path archive() {
    return folder.resolve("archive");
  }

  private Path backup() {
    return folder.resolve("backup");
  }

  private Path successor() {
    return folder.resolve("successor");
  }

  /** Copies the data of a stopped PostgreSQL, which archives its WAL from then on. */
  public void backUp() throws IOException, InterruptedException {
    configure(data());
    run("rm", "-rf", backup().toString(), archive().toString());
    Files.createDirectories(archive());
    run("chmod", "0777", archive().toString()); // the server runs as another user
    run("cp", "-a", data().toString(), backup().toString());
  }

  private void configure(Path data) throws IOException {
    Path file = data.resolve("postgresql.conf");
    String before = Files.readString(file);
    String settings = SETTINGS.formatted(archive(), EXTRA);
    if (!before.endsWith(settings)) {
      Files.writeString(file, before + settings);
    }
  }

  /**
   * Copies the backup to the data folder of a successor, which reads the archive first.
   *
   * @param signal file that says as what it starts
   */
  void copyBackup(String signal, String settings) throws IOException, InterruptedException {
    if (!Files.exists(backup())) {
      throw new IllegalStateException("there is no backup in " + backup());
    }
    run("rm", "-rf", successor().toString());
    Files.createDirectories(successor());
    run("cp", "-a", backup().toString(), successor().resolve("data").toString());
    Files.writeString(successor().resolve("data").resolve(EXTRA), settings);
    Files.createFile(successor().resolve("data").resolve(signal));
  }

  /** Starts a server on the data folder of the successor, which is made if it is missing. */
  PostgresServer startSuccessor() {
    return PostgresServer.start(successor(), 0, Launch.to(log), url.password());
  }

  /** Starts a new server, without tables. */
  PostgresServer startNew() throws IOException, InterruptedException {
    run("rm", "-rf", successor().toString());
    return startSuccessor();
  }

  /** Changes the settings of a running successor. */
  void configureSuccessor(PostgresServer server, String settings) throws IOException, SQLException {
    Files.writeString(successor().resolve("data").resolve(EXTRA), settings);
    execute(of(server), "select pg_reload_conf()");
  }

  /** Replaces the data by those of the successor; neither server runs. */
  void replace() throws IOException, InterruptedException {
    Path data = successor().resolve("data");
    Files.deleteIfExists(data.resolve(EXTRA));
    configure(data);
    run("rm", "-rf", data().toString());
    run("mv", data.toString(), data().toString());
  }

  /** The database of a successor, as superuser. */
  PostgresUrl of(PostgresServer server) {
    return PostgresUrl.parse(
        "postgresql://rondo:%s@127.0.0.1:%d/rondo".formatted(url.password(), server.port()));
  }

  static void execute(PostgresUrl url, String... statements) throws SQLException {
    try (Connection connection = url.connect("rondo-chaos")) {
      execute(connection, statements);
    }
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of each row. */
  static List<String> query(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = url.connect("rondo-chaos")) {
      return query(connection, sql);
    }
  }

  /** The first column of each row. */
  static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      var rows = new ArrayList<String>();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
    }
  }

  /**
   * Waits until the query answers {@code expected}.
   *
   * @throws IllegalStateException after a minute with one other answer, which the message has
   */
  static void await(PostgresUrl url, String sql, String expected)
      throws SQLException, InterruptedException {
    await(url, sql, expected, BOUND);
  }

  static void await(PostgresUrl url, String sql, String expected, Duration bound)
      throws SQLException, InterruptedException {
    List<String> last = query(url, sql);
    long sinceNanos = System.nanoTime();
    while (!last.equals(List.of(expected))) {
      if (System.nanoTime() - sinceNanos > bound.toNanos()) {
        throw new IllegalStateException(
            "PostgreSQL at port %d answers %s, not '%s', for %d s: %s"
                .formatted(
                    URI.create(url.url()).getPort(), last, expected, bound.toSeconds(), sql));
      }
      Thread.sleep(LOOK.toMillis());
      List<String> next = query(url, sql);
      if (!next.equals(last)) {
        last = next;
        sinceNanos = System.nanoTime();
      }
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IllegalStateException(
          "%s ended with exit code %d".formatted(String.join(" ", command), code));
    }
  }
}
