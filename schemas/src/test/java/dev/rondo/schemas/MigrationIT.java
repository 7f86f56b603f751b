package dev.rondo.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.testbed.Database;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Migrates databases of every version, filled like its sink fills them, to the newest one: no
 * stored value is lost, and sinks continue to write. {@code stored/VNNN.sql} fills the tables; a
 * migration without such a file fails here.
 *
 * <p>Migration 900 of this test stands for a later release, so that the newest version has a
 * migration to run, too.
 */
class MigrationIT {
  private static final Path STORED = Path.of("src/test/resources/dev/rondo/schemas/stored");

  /** All versions: {@code V001}, {@code V002}, … */
  static List<String> versions() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("sql"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("V"))
          .map(name -> name.substring(0, name.indexOf("__")))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void shouldKeepStoredData(String version) throws Exception {
    assertThat(STORED.resolve(version + ".sql"))
        .as("what the sink of this version stores")
        .isNotEmptyFile();
    try (Database database = filled(version);
        Connection connection = database.connect()) {
      Map<String, List<String>> columns = columns(connection);
      Map<String, List<String>> before = contents(connection, columns);
      String files = filenodes(connection);

      migrate(connection, "latest", "");

      assertThat(query(connection, "select count(*) from later")).isEqualTo("0");
      assertThat(contents(connection, columns)).isEqualTo(before);
      assertThat(before.get("tv")).hasSizeGreaterThan(3);
      assertThat(filenodes(connection)).as("no table is written anew").isEqualTo(files);
    }
  }

  /** A migration does not wait for transactions of sinks. */
  @ParameterizedTest
  @MethodSource("versions")
  void shouldMigrateWhileSinkWrites(String version) throws Exception {
    try (Database database = filled(version);
        Connection sink = database.connect();
        Connection connection = database.connect()) {
      sink.setAutoCommit(false);
      execute(sink, "update rra_bundle set latest = now()");
      execute(sink, "update ds set pos = pos + 1000");
      execute(sink, "update ts set dp = '{1}'");
      execute(sink, "insert into ts select id, 9, 9, now(), '{}' from rra_bundle");

      migrate(connection, "latest", "set lock_timeout = '20s'");

      sink.commit();
      assertThat(query(connection, "select count(*) from ts where seg = 9")).isNotEqualTo("0");
    }
  }

  /** Finds names and tags of series stored before the migration and of series changed after it. */
  @ParameterizedTest
  @MethodSource("versions")
  void shouldFindStoredSeries(String version) throws Exception {
    try (Database database = filled(version);
        Connection connection = database.connect()) {
      execute(
          connection,
          "insert into ds (ident, policy, seg, pos, starts_at)"
              + " values ('{\"name\": \"a.b.c\"}', 'names', 0, 1, 'epoch')");

      migrate(connection, "latest", "");
      execute(connection, "update ds set ident = ident || '{\"later\": \"x\"}' where pos = 3");

      assertThat(query(connection, "select parent || node from branch order by 1"))
          .isEqualTo("a\na.b");
      assertThat(query(connection, "select distinct tag || '=' || value from tag_value order by 1"))
          .contains("host=web00", "later=x", "name=load");
    }
  }

  /**
   * A migration can replace a function that an index uses: open sessions continue to use the index.
   */
  @ParameterizedTest
  @MethodSource("versions")
  void shouldReadLeavesByTheirIndexInOpenSessions(String version) throws Exception {
    try (Database database = filled(version);
        Connection reader = database.connect();
        Connection connection = database.connect()) {
      execute(reader, "set enable_seqscan = off");
      String leaves =
          "explain select from ds"
              + " where rondo_parent(ident ->> 'name') = 'a.' and ident - 'name' = '{}'";
      assertThat(query(reader, leaves)).containsPattern("ds_parent.*\\s+Index Cond");

      migrate(connection, "latest", "");

      assertThat(query(reader, leaves)).containsPattern("ds_parent.*\\s+Index Cond");
    }
  }

  private static Database filled(String version) throws Exception {
    Database database = TestBed.emptyDatabase();
    try (Connection connection = database.connect()) {
      migrate(connection, version.substring(1), "");
      execute(connection, Files.readString(STORED.resolve(version + ".sql"), UTF_8));
    }
    return database;
  }

  private static void migrate(Connection connection, String target, String initSql)
      throws SQLException {
    Flyway.configure()
        .dataSource(connection.getMetaData().getURL(), null, null)
        .locations("classpath:dev/rondo/schemas/sql", "classpath:dev/rondo/schemas/later")
        .target(target)
        .initSql(initSql)
        .load()
        .migrate();
  }

  /** Returns the current columns of all tables and views. */
  private static Map<String, List<String>> columns(Connection connection) throws SQLException {
    var columns = new TreeMap<String, List<String>>();
    try (var statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "select table_name, column_name from information_schema.columns"
                    + " where table_schema = 'public' and table_name <> 'flyway_schema_history'"
                    + " order by table_name, ordinal_position")) {
      while (found.next()) {
        columns
            .computeIfAbsent(found.getString(1), key -> new ArrayList<>())
            .add(found.getString(2));
      }
    }
    return columns;
  }

  private static Map<String, List<String>> contents(
      Connection connection, Map<String, List<String>> columns) throws SQLException {
    var contents = new TreeMap<String, List<String>>();
    for (var table : columns.entrySet()) {
      String row = "row(" + String.join(", ", table.getValue()) + ")::text";
      contents.put(
          table.getKey(),
          List.of(
              query(connection, "select %s from %s order by 1".formatted(row, table.getKey()))
                  .split("\n", -1)));
    }
    return contents;
  }

  /** Changes when a table or an index is rewritten. */
  private static String filenodes(Connection connection) throws SQLException {
    return query(
        connection,
        "select relname || ' ' || pg_relation_filenode(oid) from pg_class where relname in"
            + " ('ts', 'ts_pkey', 'ds', 'ds_pkey', 'ds_ident', 'ds_name', 'rra_bundle') order by 1");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the first column, one row per line. */
  private static String query(Connection connection, String sql) throws SQLException {
    var rows = new ArrayList<String>();
    try (var statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return String.join("\n", rows);
  }
}
