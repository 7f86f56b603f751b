package dev.rondo.local.database;

import dev.rondo.connection.postgres.Pooler;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.UserError;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Creates and upgrades Rondo's tables in a database with the migrations of {@code schemas/sql}.
 * Each migration is one transaction, so that a failed one changes nothing.
 */
public final class Migration {
  private static final String TABLES = "classpath:dev/rondo/schemas/sql";

  /** Short, because writers queue behind a migration that waits for a lock. */
  private static final String SESSION = "set lock_timeout = '5s'";

  /** Tables and views in the schema that belong neither to Rondo nor to an extension. */
  private static final String FOREIGN_TABLES =
      """
      select string_agg(relname, ', ' order by relname) filter (where nth <= 3), current_schema()
      from (select c.oid, relname, row_number() over (order by relname) as nth from pg_class as c
            where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
              and not exists (select from pg_depend where objid = c.oid and deptype = 'e')) as found
      where to_regclass('flyway_schema_history') is null
      """;

  private final PostgresUrl postgres;
  private final MigrationErrors errors;
  private final FluentConfiguration flyway;

  /** Adds migrations of other locations to Rondo's, as in a later release. */
  public Migration(PostgresUrl postgres, String... more) {
    this.postgres = postgres;
    this.errors = new MigrationErrors(postgres);
    this.flyway =
        Flyway.configure()
            .dataSource(
                withoutPreparing(postgres.jdbcUrl()), postgres.user(), passwordOrNull(postgres))
            .locations(Stream.concat(Stream.of(TABLES), Stream.of(more)).toArray(String[]::new));
  }

  /**
   * Runs all pending migrations.
   *
   * @return the migrations that were run, such as {@code 001 baseline}
   * @throws UserError if the database must not be migrated
   */
  public static List<String> run(PostgresUrl postgres) {
    return new Migration(postgres).run();
  }

  /**
   * Lists the migrations that {@link #run} would run.
   *
   * @throws UserError for the errors of {@link #run} that can be detected in advance
   */
  public static List<String> pending(PostgresUrl postgres) {
    return new Migration(postgres).pending();
  }

  public List<String> run() {
    List<String> pending = pending();
    if (!pending.isEmpty()) {
      rejectPooler();
      migrate();
    }
    return pending;
  }

  private List<String> pending() {
    rejectForeignTables();
    MigrationInfo[] all;
    try {
      all = flyway.load().info().all();
    } catch (FlywayException e) {
      throw errors.of(e);
    }
    Stream.of(all).forEach(errors::reject);
    return Stream.of(all)
        .filter(each -> each.getState() == MigrationState.PENDING)
        .map(each -> each.getVersion().getVersion() + " " + each.getDescription())
        .toList();
  }

  private void migrate() {
    try {
      flyway.initSql(SESSION).load().migrate();
    } catch (FlywayException e) {
      throw errors.of(e);
    }
  }

  /** Behind a pooler, the next backend lacks prepared statements, even that of a commit. */
  private static String withoutPreparing(String jdbcUrl) {
    return jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "prepareThreshold=0";
  }

  /** Without a password, the driver reads PGPASSFILE. */
  private static String passwordOrNull(PostgresUrl postgres) {
    return postgres.password().isEmpty() ? null : postgres.password();
  }

  /** Locks and settings of the session must last for all migrations. */
  private void rejectPooler() {
    try (var connection = postgres.connect("rondo-migrate")) {
      if (Pooler.isBetween(connection)) {
        throw errors.pooler();
      }
    } catch (SQLException e) {
      throw errors.of(e);
    }
  }

  private void rejectForeignTables() {
    try (var connection = postgres.connect("rondo-migrate");
        var statement = connection.createStatement();
        var found = statement.executeQuery(FOREIGN_TABLES)) {
      found.next();
      if (found.getString(2) == null) {
        throw errors.noSchema();
      }
      if (found.getString(1) != null) {
        throw errors.foreignTables(found.getString(2), found.getString(1));
      }
    } catch (SQLException e) {
      throw errors.of(e);
    }
  }
}
