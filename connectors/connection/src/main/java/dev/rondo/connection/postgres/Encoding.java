package dev.rondo.connection.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** Checks the encoding of a database: only UTF8 stores every name as it was sent. */
public final class Encoding {
  /** SQLSTATE untranslatable_character. */
  public static final String STATE = "22P05";

  private Encoding() {}

  /** Throws a {@link SQLException} with {@link #STATE} unless the database is UTF8. */
  public static void check(Connection connection) throws SQLException {
    String encoding = connection.unwrap(PGConnection.class).getParameterStatus("server_encoding");
    if (!"UTF8".equals(encoding)) {
      throw new SQLException(
          ("the database is %s, not UTF8; create another one: create database rondo encoding 'UTF8'"
                  + " locale 'C' template template0;")
              .formatted(encoding),
          STATE);
    }
  }
}
