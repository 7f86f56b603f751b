package dev.rondo.connect.postgres;

import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;

/** A real PostgreSQL with Rondo's tables. */
final class TestDatabase {
  /** {@code dp} as text, up to its last known value. */
  static final String VALUES = "regexp_replace(ts.dp::text, '(,?NaN)+}$', '}')";

  /** Where a row has a slot, and is not only reserved. */
  static final String HAS_SLOT = "ts.t > '-infinity'";

  private static TestDatabase shared;

  private final Path dir;
  private PostgresServer server;

  private TestDatabase(Path dir) {
    this.dir = dir;
    this.server = PostgresServer.start(dir, 0);
    Flyway.configure()
        .dataSource(server.jdbcUrl(), "rondo", "")
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
  }

  /** The one of this JVM, its tables empty; it ends with the JVM. */
  static synchronized TestDatabase empty() {
    if (shared == null) {
      shared = new TestDatabase(newFolder());
    }
    shared.execute("truncate rra_bundle, ds, ts restart identity");
    return shared;
  }

  /** Another one, for tests that kill it. */
  static TestDatabase ofItsOwn() {
    return new TestDatabase(newFolder());
  }

  void kill() {
    server.kill();
  }

  void startAgain() {
    server = PostgresServer.start(dir, server.port());
  }

  /** Stops it; its data stay, to be started again. */
  void stop() {
    server.close();
  }

  /** Stops it for good. */
  void remove() {
    server.close();
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String jdbcUrl() {
    return server.jdbcUrl();
  }

  /** Config of a task that writes here; {@code more}: keys and values. */
  Map<String, String> taskConfig(String... more) {
    var config = new HashMap<>(Map.of("connection.url", server.jdbcUrl()));
    for (int k = 0; k < more.length; k += 2) {
      config.put(more[k], more[k + 1]);
    }
    return config;
  }

  void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Each row as its columns' text, joined by {@code |}; null as {@code -}. */
  List<String> query(String sql) {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        var statement = connection.createStatement();
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

  private static Path newFolder() {
    try {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return Files.createTempDirectory(parent, "postgres-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
