package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.local.database.IdSequences;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Owner;
import dev.rondo.local.settings.UserError;
import dev.rondo.schemas.TopicNames;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rondo migrate} on databases in every state, one database per test. */
class MigrationIT {
  /** Migration 900 stands for a later release: it adds a column to {@code rra_bundle}. */
  private static final String LATER = "classpath:dev/rondo/local/later";

  @TempDir static Path dir;
  private static PostgresServer server;
  private PostgresUrl postgres;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(dir, 0);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void create(TestInfo test) throws SQLException {
    String database = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    var rondo = PostgresUrl.parse(server.url());
    execute(rondo, "create database " + database);
    postgres = PostgresUrl.parse(server.url().replaceFirst("/rondo$", "/" + database));
  }

  @Test
  void shouldCreateTablesOnce() throws SQLException {
    assertThat(Migration.pending(postgres)).startsWith("001 baseline");
    assertThat(Migration.run(postgres)).startsWith("001 baseline");
    assertThat(Migration.pending(postgres)).isEmpty();
    assertThat(Migration.run(postgres)).isEmpty();
    execute(postgres, "select r from tv");
  }

  @Test
  void shouldRunOnlyNewMigrationsOfALaterRelease() throws SQLException {
    Migration.run(postgres);
    assertThat(new Migration(postgres, LATER).run()).containsExactly("900 later");
    assertThat(new Migration(postgres, LATER).run()).isEmpty();
    execute(postgres, "select later from rra_bundle");
    shouldReject(
        "migration 900, which this version of Rondo does not know: use the version that ran it");
  }

  @Test
  void shouldRejectOtherEncodingsThanUtf8() throws SQLException {
    for (String encoding : List.of("SQL_ASCII", "LATIN1", "WIN1252")) {
      execute(
          PostgresUrl.parse(server.url()),
          "create database %s encoding '%s' locale_provider libc locale 'C' template template0"
              .formatted(encoding, encoding));
      String name = "/" + encoding.toLowerCase(Locale.ROOT);
      var other = PostgresUrl.parse(server.url().replaceFirst("/rondo$", name));
      assertThatThrownBy(() -> Migration.run(other))
          .isInstanceOf(UserError.class)
          .hasMessageContainingAll(
              "the database is %s, not UTF8".formatted(encoding),
              "create database rondo encoding 'UTF8' locale 'C' template template0;");
    }
  }

  @Test
  void shouldPrintTheMigrationsOfTheCommand() throws SQLException {
    assertThat(command("--dry-run")).isZero();
    assertThatThrownBy(() -> execute(postgres, "select from ts")).hasMessageContaining("ts");
    assertThat(command("--roles")).isZero();
    assertThat(command()).isZero();
    execute(postgres, "set role rondo_writer; update ts set t = t");
  }

  /** Logical replication copies rows, but not sequences. */
  @Test
  void shouldContinueIdsAfterTheHighest() throws SQLException {
    Migration.run(postgres);
    String archive =
        "insert into rra_bundle (policy, cf, step_ms, size, width, xff) values ('%s', 'last', 1, 1, 8, 0)";
    execute(postgres, archive.formatted("first"));
    assertThat(IdSequences.advance(postgres)).isEmpty();
    execute(postgres, archive.formatted("second"));
    execute(postgres, "alter sequence rra_bundle_id_seq restart");

    assertThat(command()).isZero();
    execute(postgres, archive.formatted("third"));
    assertThat(IdSequences.advance(postgres)).isEmpty();
  }

  @Test
  void shouldRejectTheDatabaseOfAnotherRondo() throws SQLException {
    Migration.run(postgres);
    Owner.check(postgres, TopicNames.of("rondo"));
    for (String topic : List.of("series", "bundle-rows")) {
      execute(
          postgres,
          "insert into applied_offset values ('rondo.%s', gen_random_uuid(), 0, 1)"
              .formatted(topic));
    }
    Owner.check(postgres, TopicNames.of("rondo"));
    assertThatThrownBy(() -> Owner.check(postgres, TopicNames.of("rondo-test")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(
            "has the series of another Rondo, from the topics rondo.bundle-rows, rondo.series, not"
                + " rondo-test.series, rondo-test.bundle-rows, rondo-test.events");
  }

  @Test
  void shouldRejectDatabaseOfNewerRondo() throws SQLException {
    Migration.run(postgres);
    execute(
        postgres,
        "insert into flyway_schema_history select 99, '999', 'later', type, script, 1, installed_by,"
            + " now(), 1, true from flyway_schema_history where version = '001'");
    shouldReject(
        "migration 999, which this version of Rondo does not know: use the version that ran it");
  }

  @Test
  void shouldRejectHalfMigratedDatabase() throws SQLException {
    Migration.run(postgres);
    execute(
        postgres,
        "insert into flyway_schema_history select 99, '900', 'later', type, 'V900', 1,"
            + " installed_by, now(), 1, false from flyway_schema_history where version = '001'");
    shouldReject(
        new Migration(postgres, LATER),
        "a partially applied migration 900",
        "where version = '900' and not success");
  }

  @Test
  void shouldRejectMigrationsOfAnotherProgram() throws SQLException {
    Migration.run(postgres);
    execute(postgres, "update flyway_schema_history set checksum = 1 where version = '001'");
    shouldReject("a migration 001 that differs from this Rondo's");
  }

  @Test
  void shouldRejectTablesOfAnotherProgram() throws SQLException {
    execute(postgres, "create table orders (); create view users as select 1 as one");
    shouldReject("tables in its schema public that are not Rondo's (orders, users)");

    execute(postgres, "create schema rondo");
    var beside = PostgresUrl.parse(postgres.url() + "?options=-csearch_path%3Drondo");
    assertThat(Migration.run(beside)).isNotEmpty();
    execute(postgres, "select r from rondo.tv");
  }

  @Test
  void shouldNameTheMissingPrivilege() throws SQLException {
    execute(postgres, "create role guest login");
    var guest = postgres.as("guest");
    assertThatThrownBy(() -> Migration.run(guest))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(
            "does not allow guest to migrate it: ERROR: permission denied for schema")
        .hasMessageContaining("grant create on schema public to guest;");

    Migration.run(postgres);
    assertThatThrownBy(() -> new Migration(guest, LATER).run())
        .isInstanceOf(UserError.class)
        .hasMessageContaining("run ./rondo migrate as the owner of its tables");
  }

  @Test
  void shouldNotWaitLongForLocks() throws SQLException {
    Migration.run(postgres);
    try (Connection other = connect(postgres)) {
      other.setAutoCommit(false);
      other.createStatement().execute("lock table rra_bundle in access share mode");
      shouldReject(
          new Migration(postgres, LATER),
          "could not lock a table",
          "nothing has changed. Try again");
    }
    assertThat(new Migration(postgres, LATER).run()).containsExactly("900 later");
  }

  private void shouldReject(String... parts) {
    shouldReject(new Migration(postgres), parts);
  }

  private void shouldReject(Migration migration, String... parts) {
    assertThatThrownBy(migration::run)
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(postgres.shown())
        .hasMessageContainingAll(parts);
  }

  private int command(String... options) {
    var line = Main.commandLine("migrate");
    var arguments = new ArrayList<>(List.of("--postgres", postgres.url()));
    arguments.addAll(List.of(options));
    return line.execute(arguments.toArray(String[]::new));
  }

  private static Connection connect(PostgresUrl url) throws SQLException {
    return DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password());
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
