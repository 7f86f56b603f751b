package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.errors.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.postgresql.util.PSQLState;

/**
 * Inserts series, assuming that all are new and all locations free, which is nearly always so.
 * Looking them up first would take a quarter of the time.
 */
public final class InsertSeries {
  static final String SQL =
      SeriesColumns.WITH_ENTRIES
          + "insert into ds (ident, policy, seg, pos, starts_at, source) select * from n";

  private InsertSeries() {}

  /**
   * Returns false if an ident or a location exists: nothing is inserted, the transaction stays
   * usable.
   */
  public static boolean execute(Connection connection, List<Series> series) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      SeriesColumns.execute(connection, SQL, series);
    } catch (SQLException e) {
      if (!SqlStates.state(e).equals(PSQLState.UNIQUE_VIOLATION.getState())) {
        throw e;
      }
      connection.rollback(before);
      return false;
    }
    connection.releaseSavepoint(before);
    return true;
  }
}
