package dev.rondo.local.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.Failures;
import dev.rondo.local.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;

/** Roles and their privileges on the tables: schemas/sql/roles.sql. */
public final class Roles {
  private static final String SCRIPT = "/dev/rondo/schemas/sql/roles.sql";

  private Roles() {}

  /**
   * Creates missing roles rondo_writer, rondo_reader, rondo_event_writer, rondo_pruner and
   * rondo_filler, and grants their privileges.
   *
   * @throws UserError if the user of {@code postgres} lacks the privilege
   */
  public static void grant(PostgresUrl postgres) {
    run(postgres, script());
  }

  /** Like {@link #grant}, if the roles exist; returns whether they do. */
  public static boolean grantIfPresent(PostgresUrl postgres) {
    try (Connection connection = postgres.connect("rondo-migrate");
        var statement = connection.createStatement();
        var found =
            statement.executeQuery(
                "select count(*) = 2 from pg_roles where rolname in ('rondo_writer', 'rondo_reader')")) {
      found.next();
      if (!found.getBoolean(1)) {
        return false;
      }
    } catch (SQLException e) {
      throw refused(postgres, e);
    }
    grant(postgres);
    return true;
  }

  /**
   * Creates a login role for a part: a member of {@code roles}, with its password in the file of
   * {@code postgres}, if any.
   *
   * @param postgres superuser
   */
  public static void addLogin(PostgresUrl postgres, String user, String... roles) {
    run(
        postgres,
        """
        do $$ begin
          if not exists (select from pg_roles where rolname = '%1$s') then
            create role %1$s login;
          end if;
          grant %2$s to %1$s;
          alter role %1$s password %3$s;
        end $$"""
            .formatted(user, String.join(", ", roles), literal(postgres.as(user).password())));
  }

  private static String literal(String password) {
    return password.isEmpty() ? "null" : "'" + password.replace("'", "''") + "'";
  }

  private static void run(PostgresUrl postgres, String sql) {
    try (Connection connection = postgres.connect("rondo-migrate");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw refused(postgres, e);
    }
  }

  private static UserError refused(PostgresUrl postgres, SQLException e) {
    return new UserError(
        "could not grant privileges to rondo_writer and rondo_reader in %s: %s; run it as the"
                .formatted(postgres.shown(), Failures.oneLine(e.getMessage()))
            + " owner of the tables, who needs CREATEROLE to create missing roles");
  }

  private static String script() {
    try (var stream = Roles.class.getResourceAsStream(SCRIPT)) {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
