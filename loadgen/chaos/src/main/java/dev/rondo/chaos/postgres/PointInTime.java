package dev.rondo.chaos.postgres;

import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;

/** A base backup with the archived WAL up to a point. */
public final class PointInTime implements Successor {
  private static final String NAME = "chaos";
  private static final String TARGET =
      """
      recovery_target_name = '%s'
      recovery_target_action = promote
      """;

  private final Database database;

  private PointInTime(Database database) {
    this.database = database;
  }

  /** Marks the point now. */
  public static PointInTime mark(Database database) throws SQLException {
    Database.execute(
        database.url(),
        "select pg_create_restore_point('%s')".formatted(NAME),
        "select pg_switch_wal()"); // to the archive
    return new PointInTime(database);
  }

  @Override
  public void takeOver() throws IOException, InterruptedException, SQLException {
    database.copyBackup("recovery.signal", TARGET.formatted(NAME));
    try (PostgresServer server = database.startSuccessor()) {
      Database.await(database.of(server), "select pg_is_in_recovery()", "f");
    }
    database.replace();
  }
}
