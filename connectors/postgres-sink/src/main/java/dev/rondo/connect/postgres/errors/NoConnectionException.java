package dev.rondo.connect.postgres.errors;

import java.sql.SQLException;

/**
 * No connection was to be had, whatever the reason. It may be one that only an operator can end, a
 * password for instance; but it is no record's fault, and it was none when the task began.
 */
public final class NoConnectionException extends SQLException {
  private static final long serialVersionUID = 1L;

  public NoConnectionException(SQLException reason) {
    super(reason.getMessage(), reason.getSQLState(), reason);
    setNextException(reason);
  }
}
