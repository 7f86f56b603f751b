package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Deletes old events, some at once. The newest slot says how late it is, unless that is after now:
 * a clock that is ahead deletes nothing.
 */
public final class ExpireEvents {
  static final String SQL =
      """
      delete from event
      where id in (
        select id from event
        where t < (
          select max(least(latest - step_ms * interval '1 ms', now())) from rra_bundle
        ) - make_interval(days => ?)
        order by t
        limit 10000
      )
      """;

  private ExpireEvents() {}

  /**
   * Deletes some of the events that are older.
   *
   * @param days age of the events
   */
  public static void execute(Connection connection, int days) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setInt(1, days);
      statement.executeUpdate();
    }
  }
}
