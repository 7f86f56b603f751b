package dev.rondo.local.database;

import dev.rondo.local.settings.PostgresUrl;
import dev.rondo.local.settings.UserError;
import java.sql.SQLException;
import org.flywaydb.core.api.MigrationInfo;

/** Why a database cannot be migrated, and what to do about it. */
final class MigrationErrors {
  private final PostgresUrl postgres;

  MigrationErrors(PostgresUrl postgres) {
    this.postgres = postgres;
  }

  /**
   * @throws UserError where the migration has been run and is not ours, or not through
   */
  void refuse(MigrationInfo migration) {
    String version = migration.getVersion() == null ? "" : migration.getVersion().getVersion();
    switch (migration.getState()) {
      case FUTURE_SUCCESS, FUTURE_FAILED ->
          throw error(
              ("has migration %s, which this Rondo does not know: use the Rondo that ran it, or a"
                      + " newer one")
                  .formatted(version));
      case FAILED, MISSING_FAILED ->
          throw error(
              ("has a migration %s that failed half-way: undo what is there of it, then: delete from"
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
        ("has no schema to make tables in: the first of the role's search_path that exists and that"
                + " it may use; create schema %s authorization %s;")
            .formatted(postgres.user(), postgres.user()));
  }

  UserError strangers(String schema, String tables) {
    return error(
        ("has tables in its schema %s that are not Rondo's (%s): give Rondo a database of its own, or"
                + " a schema: create schema rondo; and ?options=-csearch_path%%3Drondo at the end of the"
                + " URL")
            .formatted(schema, tables));
  }

  /** From what Flyway or the driver reports. */
  UserError of(Exception failure) {
    SQLException sql = sql(failure);
    String state = sql == null || sql.getSQLState() == null ? "" : sql.getSQLState();
    return switch (state) {
      case "42501" ->
          error(
              ("does not let %s migrate it: %s; run ./rondo migrate as the owner of its tables, or"
                      + " where there are none yet: grant create on schema public to %s;")
                  .formatted(postgres.user(), oneLine(sql.getMessage()), postgres.user()));
      case "55P03" ->
          error(
              ("keeps a table locked for others (%s), nothing has changed: try again, or end what"
                      + " holds it: select pid, state, query from pg_stat_activity where xact_start <"
                      + " now() - interval '5 s';")
                  .formatted(oneLine(sql.getMessage())));
      default ->
          new UserError(
              "could not migrate %s: %s"
                  .formatted(
                      postgres.shown(), oneLine((sql == null ? failure : sql).getMessage())));
    };
  }

  private UserError notOurs(String version) {
    return error(
        ("has a migration %s that is not the one of this Rondo: another program keeps its tables"
                + " there, or schemas/sql was changed; take another database, or schemas/sql as it was")
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

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
