package dev.rondo.connect.postgres;

import java.sql.SQLException;

/**
 * No connection was to be had, whatever the reason. It may be one that only an operator can end, a
 * password for instance; but it is no record's fault, and it was none when the task began.
 */
final class NoConnectionException extends SQLException {
  private static final long serialVersionUID = 1L;

  NoConnectionException(SQLException reason) {
    super(reason.getMessage(), reason.getSQLState(), reason);
    setNextException(reason);
  }
}
