package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.harness.OutageRig;
import dev.rondo.connect.postgres.harness.RowStream;
import dev.rondo.connect.postgres.harness.SmallDisk;
import dev.rondo.connect.postgres.harness.TcpProxy.Mode;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * PostgreSQL fails in every way it can, while two tasks of a real worker write a stream through a
 * network that fails too. Each time the tables must hold everything that was sent, row by row,
 * without intervention; no task fails, and no consumer is removed from its group.
 */
@Timeout(300)
@TestMethodOrder(MethodName.class)
class OutageIT {
  private static OutageRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = OutageRig.start();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      rig.shouldHaveReportedPoisonedRecords();
    } finally {
      rig.stop();
    }
  }

  @AfterEach
  void shouldHoldWhatWasSent() throws Exception {
    rig.shouldHoldWhatWasSent();
  }

  @Test
  void killed() throws Exception {
    rig.database().kill();
    rig.awaitLog("[08");
    rig.database().startAgain();
  }

  /** Longer than a consumer may be silent; {@code -Drondo.outage.seconds=3600} for an hour. */
  @Test
  @Tag("long")
  void stoppedForLong() throws Exception {
    List<String> members = rig.members();
    rig.database().stop();
    rig.awaitLog("[08001]");
    assertThat(rig.validated()).contains("\"error_count\":0");
    rig.outlast(rig.longestSilence().plusSeconds(Long.getLong("rondo.outage.seconds", 1)));
    rig.database().startAgain();
    rig.awaitLog("accepts writes again");
    assertThat(rig.members()).isEqualTo(members);
  }

  @Test
  void networkResets() throws Exception {
    rig.proxy().become(Mode.RESET);
    rig.awaitLog("[08");
    rig.proxy().become(Mode.OPEN);
  }

  /** Neither side learns of it: the server holds the locks of what is open until it gives up. */
  @Test
  @Tag("long")
  void networkSwallowsEverything() throws Exception {
    rig.proxy().become(Mode.SILENT);
    rig.awaitLog("[08006]");
    rig.awaitLog("[08001]");
    rig.proxy().become(Mode.OPEN);
  }

  /** What was sent is done, commits too; the sink never hears of it. */
  @Test
  void networkSwallowsAnswers() throws Exception {
    rig.proxy().become(Mode.DEAF);
    rig.awaitLog("[08006]");
    rig.proxy().become(Mode.OPEN);
  }

  @Test
  @Tag("long")
  void frozen() throws Exception {
    rig.database().freeze();
    rig.awaitLog("[08006]");
    rig.database().thaw();
  }

  @Test
  void readOnly() throws Exception {
    rig.database().execute("alter role sink set default_transaction_read_only = on");
    rig.endSessions();
    rig.awaitLog("[25006]", "targetServerType=primary");
    rig.database().execute("alter role sink reset default_transaction_read_only");
  }

  @Test
  void passwordRotated() throws Exception {
    rig.database().execute("alter role sink password 'the next one'");
    rig.endSessions();
    rig.awaitLog("[28P01]", "connection.password");
    assertThat(rig.validated()).contains("\"error_count\":1", "password authentication failed");
    rig.database().execute("alter role sink password '%s'".formatted(OutageRig.PASSWORD));
    assertThat(rig.validated()).contains("\"error_count\":0");
  }

  @Test
  @Tag("long")
  void shutOutByRule() throws Exception {
    rig.hostRule("reject");
    rig.endSessions();
    rig.awaitLog("[28000]", "pg_hba.conf");
    rig.hostRule("scram-sha-256");
  }

  @Test
  void tooManyConnections() throws Exception {
    var taken = new ArrayList<Connection>();
    try {
      rig.awaitLogWhile(
          () -> { // a task that is just logging in keeps its connection: it is ended the next time
            rig.endSessions();
            rig.takeAllConnections(taken);
          },
          "[53300]",
          "max_connections");
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
  }

  @Test
  @Tag("long")
  void diskFull() throws Exception {
    try (var disk = SmallDisk.mount(rig.database().folder())) {
      rig.database().execute("create tablespace small location '%s'".formatted(disk.folder()));
      rig.database().execute("alter table ts set tablespace small");
      try {
        disk.fill();
        rig.awaitLog("[53100]", "disk space");
        Files.delete(disk.filler());
        rig.shouldHoldWhatWasSent();
      } finally { // otherwise PostgreSQL could not be started again for the next tests
        rig.database().execute("alter table ts set tablespace pg_default");
        rig.database().execute("drop tablespace small");
        rig.database().execute("checkpoint");
      }
    }
  }

  @Test
  @Tag("long")
  void lockedByAnother() throws Exception {
    try (Connection other = rig.connect()) {
      other.setAutoCommit(false);
      other.createStatement().execute("lock table ts in exclusive mode");
      rig.awaitLog("[55P03]", "pg_locks");
      assertThat(rig.sessions()).isLessThanOrEqualTo(OutageRig.TASKS);
    }
  }

  @Test
  @Tag("long")
  void deadlocked() throws Exception {
    rig.stream().emit(RowStream.row(1, 1));
    rig.stream().emit(RowStream.row(20, 1)); // in one transaction with the other
    rig.shouldHoldWhatWasSent();
    rig.stream().pause();
    try (Connection other = rig.connect()) {
      other.setAutoCommit(false);
      rig.deadlock(other, RowStream.row(1, 5), RowStream.row(20, 6));
      rig.awaitLog("[40P01]");
    }
  }

  /** One that no waiting ends: the task fails, and goes on where it was when it is restarted. */
  @Test
  @Tag("long")
  void tableGone() throws Exception {
    rig.database().execute("alter table ts rename to ts_away");
    rig.awaitFailed("[42P01]", "run the migrations", "connection.url");
    rig.database().execute("alter table ts_away rename to ts");
    rig.restartFailed();
  }

  @Test
  @Tag("long")
  void severalAtOnce() throws Exception {
    rig.proxy().become(Mode.SILENT);
    rig.awaitLog("[08");
    rig.database().kill();
    rig.proxy().become(Mode.RESET);
    rig.database().startAgain();
    rig.database().execute("alter role sink password 'the next one'");
    rig.proxy().become(Mode.OPEN);
    rig.awaitLog("[28P01]");
    try (Connection other = rig.connect()) {
      other.setAutoCommit(false);
      other.createStatement().execute("lock table ts in exclusive mode");
      rig.database().execute("alter role sink password '%s'".formatted(OutageRig.PASSWORD));
      rig.awaitLog("[55P03]");
      rig.endSessions();
      rig.proxy().become(Mode.RESET);
    } catch (SQLException e) {
      throw new AssertionError(e);
    } finally {
      rig.proxy().become(Mode.OPEN);
    }
  }
}
