package dev.rondo.local.database;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.Failures;
import dev.rondo.local.settings.UserError;
import java.sql.SQLException;
import org.flywaydb.core.api.MigrationInfo;

/** Creates error messages for failed migrations, with the remedy. */
final class MigrationErrors {
  private final PostgresUrl postgres;

  MigrationErrors(PostgresUrl postgres) {
    this.postgres = postgres;
  }

  /**
   * @throws UserError if the migration was applied but is unknown, changed or failed
   */
  void reject(MigrationInfo migration) {
    String version = migration.getVersion() == null ? "" : migration.getVersion().getVersion();
    switch (migration.getState()) {
      case FUTURE_SUCCESS, FUTURE_FAILED ->
          throw error(
              ("has migration %s, which this version of Rondo does not know: use the version that ran"
                      + " it, or a newer one")
                  .formatted(version));
      case FAILED, MISSING_FAILED ->
          throw error(
              ("has a partially applied migration %s: undo its changes, then run: delete from"
                      + " flyway_schema_history where version = '%s' and not success;")
                  .formatted(version, version));
      case MISSING_SUCCESS -> throw notOurs(version);
      default -> {
        if (migration.getState().isApplied() && !migration.isChecksumMatching()) {
          throw notOurs(version);
        }
      }
    }
  }

  UserError noSchema() {
    return error(
        ("has no schema for the tables: no schema in the role's search_path exists and is accessible;"
                + " run: create schema %s authorization %s;")
            .formatted(postgres.user(), postgres.user()));
  }

  UserError pooler() {
    return error(
        "is a connection pooler, such as PgBouncer, and migrations need one session for their locks:"
            + " run ./rondo migrate --postgres with the address of PostgreSQL itself");
  }

  UserError foreignTables(String schema, String tables) {
    return error(
        ("has tables in its schema %s that are not Rondo's (%s): give Rondo a separate database, or a"
                + " separate schema: create schema rondo; and append ?options=-csearch_path%%3Drondo to"
                + " the URL")
            .formatted(schema, tables));
  }

  /** Converts an exception of Flyway or the driver. */
  UserError of(Exception failure) {
    SQLException sql = sql(failure);
    String state = sql == null || sql.getSQLState() == null ? "" : sql.getSQLState();
    return switch (state) {
      case "42501" ->
          error(
              ("does not allow %s to migrate it: %s; run ./rondo migrate as the owner of its tables, or,"
                      + " if there are none yet: grant create on schema public to %s;")
                  .formatted(postgres.user(), Failures.oneLine(sql.getMessage()), postgres.user()));
      case "55P03" ->
          error(
              ("could not lock a table within 5 s (%s); nothing has changed. Try again, or end the"
                      + " session that holds it: select pid, state, query from pg_stat_activity where"
                      + " xact_start < now() - interval '5 s';")
                  .formatted(Failures.oneLine(sql.getMessage())));
      default ->
          new UserError(
              "could not migrate %s: %s"
                  .formatted(
                      postgres.shown(),
                      Failures.oneLine((sql == null ? failure : sql).getMessage())));
    };
  }

  private UserError notOurs(String version) {
    return error(
        ("has a migration %s that differs from this Rondo's: another program uses the database, or"
                + " schemas/sql was changed; use another database, or restore schemas/sql")
            .formatted(version));
  }

  private UserError error(String what) {
    return new UserError(postgres.shown() + " " + what);
  }

  private static SQLException sql(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
