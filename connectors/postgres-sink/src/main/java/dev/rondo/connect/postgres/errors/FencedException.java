package dev.rondo.connect.postgres.errors;

import java.sql.SQLException;

/**
 * The applied offsets differ from what this task left: another task has written since, or the
 * database was restored. The transaction must not be committed.
 */
public final class FencedException extends SQLException {
  private static final long serialVersionUID = 1L;

  public FencedException(String reason) {
    super(reason, "fenced");
  }
}
