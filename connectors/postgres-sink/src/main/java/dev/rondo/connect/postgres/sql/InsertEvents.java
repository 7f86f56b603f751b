package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Inserts events that are not stored yet, one after the other: they are few. */
public final class InsertEvents {
  static final String SQL =
      """
      insert into event (t, what, tags, data, origin)
      values (to_timestamp(?::bigint / 1000.0), ?, ?, ?, ?)
      on conflict (origin) do nothing
      """;

  private InsertEvents() {}

  public static void execute(Connection connection, List<Event> events) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (Event event : events) {
        statement.setLong(1, event.tMs());
        statement.setString(2, event.what());
        statement.setArray(3, connection.createArrayOf("text", event.tags().toArray()));
        statement.setString(4, event.data());
        statement.setString(5, event.origin());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
