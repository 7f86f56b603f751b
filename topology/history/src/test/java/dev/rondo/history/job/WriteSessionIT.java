package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.PgBouncer;
import dev.rondo.embedded.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job has written to a real PostgreSQL that is killed. */
class WriteSessionIT {
  /** By itself the server flushes nothing before it is killed. */
  private static final List<String> SERVER =
      List.of(
          "create table stored (slot int)",
          "alter system set wal_writer_delay = '10s'",
          "select pg_reload_conf()");

  @TempDir Path dir;

  @Test
  void shouldKeepWhatIsWrittenWhenTheServerIsKilledAtOnce() throws Exception {
    int port;
    try (PostgresServer server = PostgresServer.start(dir, 0);
        WriteSession session =
            new WriteSession(() -> DriverManager.getConnection(server.jdbcUrl()), line -> {})) {
      port = server.port();
      for (String sql : SERVER) {
        execute(server, sql);
      }
      for (int slot = 1; slot <= 3; slot++) {
        String insert = "insert into stored values (%d)".formatted(slot);
        session.run(
            transactions -> transactions.transaction(connection -> execute(connection, insert)));
      }
      server.kill();
    }

    try (PostgresServer server = PostgresServer.start(dir, port);
        Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet stored = statement.executeQuery("select count(*) from stored")) {
      stored.next();
      assertThat(stored.getInt(1)).isEqualTo(3);
    }
  }

  /** A replica may be there instead, without the last commits. */
  @Test
  void shouldTellThatTheServerHasBeenAwaySinceTheLastTransaction() throws Exception {
    try (PostgresServer server = PostgresServer.start(dir, 0);
        WriteSession session =
            new WriteSession(() -> DriverManager.getConnection(server.jdbcUrl()), line -> {})) {
      session.run(transactions -> transactions.transaction(each -> execute(each, "select 1")));
      assertThat(session.wasAway()).isFalse();
      execute(
          server,
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where backend_type = 'client backend' and pid <> pg_backend_pid()");
      assertThat(session.wasAway()).isTrue();
      assertThat(session.wasAway()).isFalse();
    }
  }

  /** Its clients keep their connections meanwhile. */
  @Test
  void shouldTellThatTheServerBehindAPoolerHasBeenAway() throws Exception {
    Assumptions.assumeTrue(PgBouncer.isInstalled(), "no pgbouncer here; apt install pgbouncer");
    PostgresServer server = PostgresServer.start(dir.resolve("postgres"), 0);
    int port = server.port();
    try (PgBouncer pooler = PgBouncer.start(dir.resolve("pooler"), 0, port, 2, "rondo");
        WriteSession session =
            new WriteSession(
                () -> DriverManager.getConnection(pooler.jdbcUrl("rondo")), line -> {})) {
      assertThat(session.wasAway()).isFalse();
      pooler.pause();
      server.kill();
      server = PostgresServer.start(dir.resolve("postgres"), port);
      pooler.resumeOn(port);
      assertThat(session.wasAway()).isTrue();
      assertThat(session.wasAway()).isFalse();
    } finally {
      server.close();
    }
  }

  private static void execute(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
      execute(connection, sql);
    }
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }
}
