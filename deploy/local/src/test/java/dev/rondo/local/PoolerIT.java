package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.PgBouncer;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Roles;
import dev.rondo.local.settings.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands behind a PgBouncer that runs each transaction on any of its connections. */
class PoolerIT {
  private static final String PRUNER = "test_pruner";

  /** Migration 900 stands for a later release. */
  private static final String LATER = "classpath:dev/rondo/local/later";

  /** Settings that a session may keep. */
  private static final String SETTINGS =
      """
      select name, setting from pg_settings
      where name in ('search_path', 'lock_timeout', 'synchronous_commit', 'enable_seqscan',
        'enable_bitmapscan', 'jit', 'role', 'default_transaction_isolation')
      order by name
      """;

  @TempDir static Path dir;
  private static PostgresServer server;
  private static PgBouncer pooler;
  private static PostgresUrl direct;
  private static PostgresUrl pooled;

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue(PgBouncer.isInstalled(), "no pgbouncer here; apt install pgbouncer");
    server = PostgresServer.start(dir.resolve("postgres"), 0);
    direct = PostgresUrl.parse(server.url());
    Path folder = Files.createDirectory(dir.resolve("pgbouncer"));
    pooler = PgBouncer.start(folder, 0, server.port(), 2, "rondo", PRUNER);
    pooled = PostgresUrl.parse(pooler.url("rondo"));
  }

  @AfterAll
  static void stop() {
    if (pooler != null) {
      pooler.close();
      server.close();
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    execute(
        direct, "drop schema public cascade; create schema public; drop role if exists " + PRUNER);
  }

  @Test
  void shouldMigrateOnlyThroughPostgresItself() throws SQLException {
    List<String> settings = rows(pooled, SETTINGS);
    assertThat(Migration.pending(pooled)).startsWith("001 baseline");
    shouldReject(new Migration(pooled));
    assertThat(rows(direct, "select to_regclass('ts')")).containsExactly("null");

    Migration.run(direct);
    assertThat(Migration.run(pooled)).as("nothing to run").isEmpty();
    Roles.grant(pooled);
    assertThat(Roles.grantIfPresent(pooled)).isTrue();
    shouldReject(new Migration(pooled, LATER));
    assertThat(new Migration(direct, LATER).run()).containsExactly("900 later");
    shouldLeaveNothingBehind(pooled, settings);
  }

  @Test
  void shouldPruneThroughPooler() throws Exception {
    Migration.run(direct);
    Roles.grant(direct);
    Roles.addLogin(direct, PRUNER, "rondo_pruner");
    execute(
        direct,
        """
        insert into rra_bundle (policy, cf, step_ms, size, width, xff, first, latest)
          select 'p', cf, 60000, 100, 1, 0.5, now() - interval '9 days', latest
          from (values ('max', now() - interval '5 days'), ('wmean', now())) as b (cf, latest);
        insert into ds (ident, policy, seg, pos, starts_at)
          values ('{"name": "a"}', 'p', 0, 1, now() - interval '9 days');
        insert into ts
          select id, seg, i, latest - i * interval '1 minute', '{1}'
          from rra_bundle, generate_series(0, 20) as seg, generate_series(0, 99) as i
        """);
    var pruner = PostgresUrl.parse(pooler.url(PRUNER));
    List<String> settings = rows(pruner, SETTINGS);

    assertThat(RondoScript.prune(pruner).output()).contains("removed 2100 rows", "1 archive,");
    assertThat(
            rows(
                direct,
                "select cf, count(*) from ts join rra_bundle on id = rra_bundle_id group by 1"))
        .containsExactly("wmean 2100");
    shouldLeaveNothingBehind(pruner, settings);
  }

  @Test
  void shouldNameParameterThatThePoolerRefuses() throws Exception {
    var url = PostgresUrl.parse(pooler.url("rondo") + "?options=-csearch_path%3Drondo");
    var prune = RondoScript.prune(url);
    assertThat(prune.exitCode()).isOne();
    assertThat(prune.output())
        .contains(
            "unsupported startup parameter", "options", "ignore_startup_parameters of PgBouncer");
  }

  /** Checks both of the pooler's connections with two concurrent transactions. */
  private static void shouldLeaveNothingBehind(PostgresUrl url, List<String> settings)
      throws SQLException {
    try (Connection other = url.connect("test")) {
      other.setAutoCommit(false);
      assertThat(rows(other, SETTINGS)).isEqualTo(settings);
      assertThat(rows(url, SETTINGS)).isEqualTo(settings);
      assertThat(rows(other, "select name from pg_prepared_statements")).isEmpty();
      assertThat(rows(url, "select name from pg_prepared_statements")).isEmpty();
    }
  }

  private static void shouldReject(Migration migration) {
    assertThatThrownBy(migration::run)
        .isInstanceOf(UserError.class)
        .hasMessageContainingAll(
            pooled.shown() + " is a connection pooler", "the address of PostgreSQL itself");
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = url.connect("test");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> rows(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = url.connect("test")) {
      return rows(connection, sql);
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    var rows = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        var row = new StringJoiner(" ");
        for (int c = 1; c <= columns; c++) {
          row.add(result.getString(c));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }
}
