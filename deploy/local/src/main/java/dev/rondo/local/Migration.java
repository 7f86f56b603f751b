package dev.rondo.local;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Rondo's tables in a database: the migrations of schemas/sql. */
final class Migration {
  private Migration() {}

  /**
   * Brings the database up to date; nothing happens where it is.
   *
   * @throws UserError where the database is not ours to migrate
   */
  static void run(PostgresUrl postgres) {
    try {
      Flyway.configure()
          .dataSource(postgres.jdbcUrl(), postgres.user(), postgres.password())
          .locations("classpath:dev/rondo/schemas/sql")
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new UserError(
          "could not migrate %s: %s"
              .formatted(postgres.shown(), e.getMessage().strip().replaceAll("\\s*\\R\\s*", " ")));
    }
  }
}
