package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.secured.Authority;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Roles;
import dev.rondo.local.settings.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands on a managed server: TLS and passwords only, no superuser, and a schema in a shared
 * database. Sink: TlsIT, RolesIT; query API: test_tls.py.
 */
class ManagedPostgresIT {
  private static final String USERS = "test_owner,test_prune,test_fill";
  private static final String RULES =
      "hostssl all %1$s all scram-sha-256\nhostnossl all %1$s all reject".formatted(USERS);
  private static final List<String> ROLES =
      List.of("rondo_writer", "rondo_reader", "rondo_event_writer", "rondo_pruner", "rondo_filler");

  @TempDir static Path dir;
  private static Authority authority;
  private static PostgresServer server;
  private static PostgresUrl superuser;

  @BeforeAll
  static void start() throws Exception {
    authority = new Authority(Files.createDirectory(dir.resolve("authority")));
    authority.sign("server", "-ext", "san=dns:localhost");
    server = PostgresServer.start(dir.resolve("postgres"), 0);
    superuser = PostgresUrl.parse(server.url());
    write("server.crt", authority.certificate("server"));
    write("server.key", authority.key("server"));
    execute(
        superuser,
        "copy (select unnest(string_to_array('%s', e'\\n'))) to program 'cat - pg_hba.conf > new.conf; mv new.conf pg_hba.conf'"
            .formatted(RULES));
    execute(superuser, "alter system set ssl = on");
    execute(superuser, "select pg_reload_conf()");
    await().atMost(Duration.ofMinutes(3)).until(() -> "on".equals(value(superuser, "show ssl")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    execute(superuser, "create database metrics");
    execute(superuser, "create role test_owner login password 'a secret'");
    execute(database(), "create schema metrics authorization test_owner");
  }

  @AfterEach
  void drop() throws SQLException {
    execute(superuser, "drop database metrics with (force)");
    execute(superuser, "drop role if exists %s, %s".formatted(USERS, String.join(",", ROLES)));
  }

  @Test
  void shouldRunEachCommandWithItsPrivileges() throws Exception {
    execute(superuser, "alter role test_owner createrole");
    PostgresUrl owner = url("test_owner", authority, "localhost");
    assertThat(Migration.run(owner)).startsWith("001 baseline");
    Roles.grant(owner);
    assertThat(Migration.run(owner)).isEmpty();
    assertThat(Roles.grantIfPresent(owner)).isTrue();
    for (String user : List.of("prune", "fill")) {
      execute(
          owner,
          "create role test_%1$s login password 'a secret' in role rondo_%1$s%2$s"
              .formatted(user, user.equals("fill") ? "er" : "r"));
    }
    execute(
        owner,
        """
        insert into rra_bundle (policy, cf, step_ms, size, width, xff, first, latest)
          values ('p', 'max', 60000, 100, 1, 0.5, now() - interval '9 days', now() - interval '5 days'),
                 ('p', 'wmean', 60000, 100, 1, 0.5, now() - interval '9 days', now());
        insert into ts
          select id, 0, i, latest - i * interval '1 minute', '{1}'
          from rra_bundle, generate_series(0, 99) as i;
        insert into ds (ident, policy, seg, pos, starts_at)
          values ('{"name": "a"}', 'p', 0, 1, now() - interval '9 days')
        """);

    PostgresUrl pruner = url("test_prune", authority, "localhost");
    assertThat(RondoScript.prune(pruner).output()).contains("removed 100 rows");
    var fill =
        new RondoScript(dir)
            .run(
                List.of("policies", "fill"),
                "--once",
                "--postgres=" + url("test_fill", authority, "localhost").url());
    assertThat(fill.exitCode()).as(fill.output()).isZero();
    assertThat(value(owner, "select count(*) from archive_fill where finished is not null"))
        .isEqualTo("1");
  }

  @Test
  void shouldGrantToRolesCreatedByAnAdministrator() throws SQLException {
    PostgresUrl owner = url("test_owner", authority, "localhost");
    Migration.run(owner);
    assertThatThrownBy(() -> Roles.grant(owner))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("needs CREATEROLE to create missing roles");
    assertThat(Roles.grantIfPresent(owner)).isFalse();

    for (String role : ROLES) {
      execute(superuser, "create role " + role);
    }
    assertThat(Roles.grantIfPresent(owner)).isTrue();
    assertThat(value(owner, "select has_table_privilege('rondo_filler', 'segment_fill', 'insert')"))
        .isEqualTo("t");
  }

  @Test
  @Tag("long")
  void shouldExplainTlsFailures() throws Exception {
    var another = new Authority(Files.createDirectory(dir.resolve("another")));
    shouldFail(url("test_owner", another, "localhost"), "PKIX path");
    shouldFail(url("test_owner", authority, "127.0.0.1"), "127.0.0.1 could not be verified");
    shouldFail(
        PostgresUrl.parse(
            url("test_owner", authority, "localhost").url().replace("verify-full", "disable")),
        "pg_hba.conf");
    shouldFail(
        PostgresUrl.parse(
            url("test_owner", authority, "localhost").url().replace("a%20secret", "wrong")),
        "password authentication failed");
  }

  private static void shouldFail(PostgresUrl url, String reason) throws Exception {
    assertThatThrownBy(() -> Migration.run(url))
        .isInstanceOf(UserError.class)
        .hasMessageContainingAll(url.shown(), reason);
    assertThat(RondoScript.prune(url).output()).contains(url.shown(), reason);
  }

  private static PostgresUrl url(String user, Authority trusted, String host) {
    return PostgresUrl.parse(
        "postgresql://%s:a%%20secret@%s:%d/metrics?sslmode=verify-full&sslrootcert=%s&options=-csearch_path%%3Dmetrics"
            .formatted(user, host, server.port(), trusted.certificateFile("ca")));
  }

  private static PostgresUrl database() {
    return PostgresUrl.parse(server.url().replaceFirst("/rondo$", "/metrics"));
  }

  /** Returns a file of the server's data folder, readable by its user only. */
  private static void write(String name, String text) throws SQLException {
    execute(
        superuser,
        "copy (select unnest(string_to_array('%s', e'\\n'))) to program 'umask 077; cat > %s'"
            .formatted(text, name));
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = url.connect("test");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String value(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = url.connect("test");
        var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
