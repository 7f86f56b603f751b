package dev.rondo.testbed;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A database of the shared PostgreSQL.
 *
 * @param port of the server on 127.0.0.1
 */
public record Database(int port, String name) implements AutoCloseable {
  /** JDBC URL of the superuser. */
  public String jdbcUrl() {
    return jdbcUrl("rondo");
  }

  /** JDBC URL of a user; none needs a password. */
  public String jdbcUrl(String user) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s".formatted(port, name, user);
  }

  /** URL of a user for libpq and Python. */
  public String url(String user) {
    return "postgresql://%s@127.0.0.1:%d/%s".formatted(user, port, name);
  }

  /** A connection of the superuser. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl());
  }

  public void execute(String sql) {
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Drops the database and ends its connections. */
  @Override
  public void close() {
    new Database(port, "postgres")
        .execute("drop database if exists %s with (force)".formatted(name));
  }
}
