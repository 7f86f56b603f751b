package dev.rondo.tools.events;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads and deletes events of PostgreSQL. */
final class StoredEvents {
  private static final String SELECTED =
      """
      where (cardinality(?::bigint[]) = 0 or id = any (?::bigint[]))
        and t >= ? and t <= ? and tags @> ?::text[]
      """;

  private final Connection connection;

  StoredEvents(Connection connection) {
    this.connection = connection;
  }

  /**
   * Which events: those that meet all conditions.
   *
   * @param ids one of these; empty: any
   * @param from first time
   * @param until last time
   * @param tags all of these
   */
  record Selection(List<Long> ids, Instant from, Instant until, List<String> tags) {}

  /**
   * An event.
   *
   * @param origin where it was in Kafka; null: it came by HTTP
   */
  record StoredEvent(long id, Instant t, String what, List<String> tags, String origin) {}

  int count(Selection selection) throws SQLException {
    try (PreparedStatement statement =
            prepare("select count(*) from event " + SELECTED, selection);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getInt(1);
    }
  }

  /** The newest of the selected events, the oldest of them first. */
  List<StoredEvent> newest(Selection selection, int most) throws SQLException {
    String sql =
        "select * from (select id, t, what, tags, origin from event %s order by t desc, id desc limit %d) as newest order by t, id"
            .formatted(SELECTED, most);
    List<StoredEvent> events = new ArrayList<>();
    try (PreparedStatement statement = prepare(sql, selection);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        events.add(
            new StoredEvent(
                result.getLong("id"),
                result.getTimestamp("t").toInstant(),
                result.getString("what"),
                List.of((String[]) result.getArray("tags").getArray()),
                result.getString("origin")));
      }
    }
    return events;
  }

  /** Deletes the selected events; returns how many. */
  int delete(Selection selection) throws SQLException {
    try (PreparedStatement statement = prepare("delete from event " + SELECTED, selection)) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement prepare(String sql, Selection selection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    Object ids = connection.createArrayOf("int8", selection.ids().toArray());
    statement.setObject(1, ids);
    statement.setObject(2, ids);
    statement.setTimestamp(3, Timestamp.from(selection.from()));
    statement.setTimestamp(4, Timestamp.from(selection.until()));
    statement.setArray(5, connection.createArrayOf("text", selection.tags().toArray()));
    return statement;
  }
}
