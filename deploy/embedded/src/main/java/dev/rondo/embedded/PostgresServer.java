package dev.rondo.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

/**
 * A PostgreSQL server that listens on 127.0.0.1 only; superuser and database are named {@code
 * rondo}. Without a password it trusts every user of this machine, which is acceptable for tests.
 */
public final class PostgresServer extends Server {
  private static final Duration START_BOUND = Duration.ofMinutes(2);

  /** Connection timeouts, seconds: another program may listen on the port and never answer. */
  private static final String ANSWER_BOUND = "&connectTimeout=2&socketTimeout=20";

  private static final String RULES =
      """
      # Written by Rondo: each user of this machine needs a password. %s
      host all all 127.0.0.1/32 scram-sha-256
      """;

  private final String password;

  private PostgresServer(ChildProcess child, int port, String password) {
    super(child, port);
    this.password = password;
  }

  /** Like {@link #start(Path, int, Launch)}, logging to {@code dir/postgres.log}. */
  public static PostgresServer start(Path dir, int port) {
    return start(dir, port, Launch.to(dir.resolve("postgres.log")));
  }

  /** Starts a server that trusts every user of this machine; see below. */
  public static PostgresServer start(Path dir, int port, Launch launch) {
    return start(dir, port, launch, null);
  }

  /**
   * Starts a server with data in {@code dir/data}, initialises the folder if it is empty, and waits
   * until the server answers.
   *
   * @param port 0: a free port
   * @param password of the superuser, letters and digits; every user then needs one. Null: none
   *     does
   * @throws StartFailedException if it does not start
   */
  public static PostgresServer start(Path dir, int port, Launch launch, String password) {
    Path home = PostgresBinaries.unpacked();
    var runAs = RunAs.current();
    Path data = DataFolder.of(data(dir), runAs);
    initialise(data, home, runAs);
    if (password != null) {
      requirePasswords(data, home, runAs, password);
    }

    int chosen = FreePort.orChosen("postgres", port);
    var child =
        ChildProcess.start(
            "postgres",
            runAs.command(command(home, data, chosen), List.of(data, home)),
            Map.of(),
            data,
            launch,
            () -> stopFast(home, data, runAs));
    var server = new PostgresServer(child, chosen, password);
    child.awaitReady(START_BOUND, server::answers);
    return server;
  }

  private static Path data(Path dir) {
    return dir.toAbsolutePath().resolve("data");
  }

  /** Deletes files that the server of {@code dir} has stored outside of it. */
  public static void deleteElsewhere(Path dir) throws IOException {
    DataFolder.deleteElsewhere(data(dir));
  }

  /** JDBC URL. */
  public String jdbcUrl() {
    return jdbcUrl("rondo");
  }

  /** URL for libpq and Python. */
  public String url() {
    return "postgresql://rondo@127.0.0.1:%d/rondo".formatted(port);
  }

  private static void initialise(Path data, Path home, RunAs runAs) {
    try {
      Files.createDirectories(data.getParent());
      if (Files.exists(data.resolve("PG_VERSION"))) {
        runAs.own(data);
        return;
      }
      Path unfinished = Files.createTempDirectory(data.getParent(), "initdb-");
      runAs.own(unfinished);
      var initdb =
          List.of(
              home.resolve("bin/initdb").toString(),
              "--pgdata=" + unfinished,
              "--username=rondo",
              "--auth=trust",
              "--encoding=UTF8",
              "--locale=C",
              "--locale-provider=builtin",
              "--builtin-locale=C.UTF-8",
              "--no-instructions");
      Commands.run(runAs.command(initdb, List.of(unfinished, home)));
      Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("could not create PostgreSQL's data folder " + data, e);
    }
  }

  /**
   * Sets the superuser's password before anyone can connect, then the rule. The rule contains a
   * hash, so that a changed password is detected.
   */
  private static void requirePasswords(Path data, Path home, RunAs runAs, String password) {
    Path rules = data.resolve("pg_hba.conf");
    String wanted = RULES.formatted(UUID.nameUUIDFromBytes(password.getBytes(UTF_8)));
    try {
      if (Files.readString(rules).equals(wanted)) {
        return;
      }
      var alone =
          List.of(
              home.resolve("bin/postgres").toString(),
              "--single",
              "-D",
              data.toString(),
              "postgres");
      String output =
          Commands.run(
              runAs.command(alone, List.of(data, home)),
              "alter role rondo password '%s';\n".formatted(password));
      if (output.contains("ERROR:")) {
        throw new IllegalStateException("could not set the password of PostgreSQL: " + output);
      }
      Files.writeString(rules, wanted);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + rules, e);
    }
  }

  private static List<String> command(Path home, Path data, int port) {
    var settings =
        Map.of(
            "listen_addresses", "127.0.0.1",
            "port", Integer.toString(port),
            "unix_socket_directories", "",
            "timezone", "UTC",
            "log_timezone", "UTC",
            "max_wal_size", "2GB",
            "checkpoint_timeout", "15min"); // each page is logged in full once after a checkpoint
    var command =
        new ArrayList<>(List.of(home.resolve("bin/postgres").toString(), "-D", data.toString()));
    settings.forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
    return command;
  }

  private static void stopFast(Path home, Path data, RunAs runAs) {
    var stop =
        List.of(
            home.resolve("bin/pg_ctl").toString(),
            "stop",
            "--pgdata=" + data,
            "--mode=fast",
            "--no-wait");
    Commands.run(runAs.command(stop, List.of(data, home)));
  }

  private boolean answers() throws SQLException {
    var properties = new Properties();
    if (password != null) {
      properties.setProperty("password", password);
      properties.setProperty(
          "requireAuth", "scram-sha-256"); // another process may have taken the port
    }
    try (var connection =
        DriverManager.getConnection(jdbcUrl("postgres") + ANSWER_BOUND, properties)) {
      createDatabase(connection);
    }
    return true;
  }

  private static void createDatabase(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var found = statement.executeQuery("select from pg_database where datname = 'rondo'")) {
      if (!found.next()) {
        statement.executeUpdate("create database rondo");
      }
    }
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=rondo".formatted(port, database);
  }
}
