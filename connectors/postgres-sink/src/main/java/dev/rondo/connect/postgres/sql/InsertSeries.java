package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.errors.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.postgresql.util.PSQLState;

/**
 * Enters series of which all are new and all places free, as nearly always. To look first who has
 * the names and the places would take a quarter of the time.
 */
public final class InsertSeries {
  static final String SQL =
      SeriesColumns.WITH_NEWS
          + "insert into ds (ident, policy, seg, pos, valid_from) select * from n";

  private InsertSeries() {}

  /** False: a name or a place was there, and none is entered. The transaction goes on. */
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
