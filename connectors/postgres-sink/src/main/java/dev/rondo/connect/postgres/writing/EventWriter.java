package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Event;
import dev.rondo.connect.postgres.sql.ExpireEvents;
import dev.rondo.connect.postgres.sql.InsertEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes the events of a put, and deletes old ones. */
final class EventWriter {
  private final int retentionDays;

  /**
   * @param retentionDays after which events are deleted; 0: never
   */
  EventWriter(int retentionDays) {
    this.retentionDays = retentionDays;
  }

  void write(Connection connection, List<Event> events) throws SQLException {
    if (events.isEmpty()) {
      return;
    }
    InsertEvents.execute(connection, events);
    if (retentionDays > 0) {
      ExpireEvents.execute(connection, retentionDays);
    }
  }
}
