package dev.rondo.connect.postgres.errors;

import java.sql.SQLException;

/**
 * No connection could be opened, for any reason. An operator may have to act, for example after a
 * password change; but no record is at fault, and the config worked when the task started.
 */
public final class NoConnectionException extends SQLException {
  private static final long serialVersionUID = 1L;

  public NoConnectionException(SQLException reason) {
    super(reason.getMessage(), reason.getSQLState(), reason);
    setNextException(reason);
  }
}
