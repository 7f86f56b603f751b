package dev.rondo.connect.postgres.errors;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Event;
import dev.rondo.connect.postgres.changes.RowChange;
import java.sql.SQLException;
import java.util.Objects;
import org.apache.kafka.connect.errors.ConnectException;
import org.postgresql.util.PSQLException;

/**
 * PostgreSQL refused a record. The dead-letter queue keeps the name of this class and the message,
 * {@code table ts, SQLSTATE 23514: ERROR: …}; {@code ./rondo dead-letters} shows them.
 */
public final class RefusedRecordException extends ConnectException {
  private static final long serialVersionUID = 1L;

  public RefusedRecordException(Change change, SQLException answer) {
    super(
        "table %s, SQLSTATE %s: %s"
            .formatted(table(change, answer), SqlStates.state(answer), SqlStates.text(answer)),
        SqlStates.unwrap(answer));
  }

  /** PostgreSQL names the table for constraints only. */
  private static String table(Change change, SQLException answer) {
    String named =
        SqlStates.unwrap(answer) instanceof PSQLException e && e.getServerErrorMessage() != null
            ? e.getServerErrorMessage().getTable()
            : null;
    if (change instanceof Event) {
      return Objects.requireNonNullElse(named, "event");
    }
    return Objects.requireNonNullElse(named, change instanceof RowChange ? "ts" : "ds");
  }
}
