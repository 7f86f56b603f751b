package dev.rondo.chaos.postgres;

import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;

/** An asynchronous replica, which receives no more and then is promoted. */
public final class Replica implements Successor {
  private static final String PRIMARY =
      "primary_conninfo = 'host=127.0.0.1 port=%d user=rondo password=%s'%n";

  private final Database database;
  private final PostgresServer server;

  private Replica(Database database, PostgresServer server) {
    this.database = database;
    this.server = server;
  }

  /** Returns a replica that has followed PostgreSQL until now. */
  public static Replica until(Database database)
      throws IOException, InterruptedException, SQLException {
    Path rules = database.folder().resolve("data/pg_hba.conf");
    Files.writeString(
        rules, "host replication all 127.0.0.1/32 scram-sha-256\n", StandardOpenOption.APPEND);
    Database.execute(database.url(), "select pg_reload_conf()");
    database.copyBackup(
        "standby.signal", PRIMARY.formatted(database.port(), database.url().password()));
    PostgresServer server = database.startSuccessor();
    Database.await(database.url(), "select count(*) from pg_stat_replication", "1");
    String reached = Database.query(database.url(), "select pg_current_wal_lsn()").get(0);
    Database.await(
        database.of(server), "select pg_last_wal_replay_lsn() >= '%s'".formatted(reached), "t");
    database.configureSuccessor(server, "restore_command = ''\n"); // nor from the archive
    Database.await(database.url(), "select count(*) from pg_stat_replication", "0");
    return new Replica(database, server);
  }

  @Override
  public void takeOver() throws IOException, InterruptedException, SQLException {
    try (server) {
      Database.execute(database.of(server), "select pg_promote()");
    }
    database.replace();
  }
}
