package dev.rondo.connect.postgres.errors;

import java.sql.SQLException;

/**
 * The table of applied offsets is not where this task left it: another task has written since, or
 * the database has been restored. Nothing of the transaction may be committed.
 */
public final class FencedException extends SQLException {
  private static final long serialVersionUID = 1L;

  public FencedException(String reason) {
    super(reason, "fenced");
  }
}
