package dev.rondo.local;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.database.IdSequences;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Roles;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates or migrates Rondo's tables in an existing PostgreSQL. */
@Command(
    name = "migrate",
    description = {
      "Creates or migrates Rondo's tables in a database.",
      "",
      "Run it before you start programs of a new version; sinks can continue to write. After a "
          + "switch by logical replication it also advances the sequences of ids."
    },
    footer = {
      "Environment: PGPASSWORD (password of the user, if URL has none).",
      "",
      "docs/how-to/postgresql.md lists what each migration locks, and how to run it "
          + "with Flyway alone."
    })
final class MigrateCommand implements Callable<Integer> {
  @Option(
      names = "--postgres",
      paramLabel = "URL",
      required = true,
      defaultValue = "${env:RONDO_MIGRATE_DATABASE_URL}",
      description =
          "The database, postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE; USER must own its"
              + " tables, or may create them (default: RONDO_MIGRATE_DATABASE_URL).")
  private String url;

  @Option(names = "--dry-run", description = "Only show the pending migrations.")
  private boolean dryRun;

  @Option(
      names = "--roles",
      description =
          "Also create the roles rondo_writer, rondo_reader, rondo_event_writer, rondo_pruner and"
              + " rondo_filler (USER needs CREATEROLE). Every run grants existing roles their"
              + " privileges.")
  private boolean roles;

  @Override
  public Integer call() {
    var postgres = PostgresUrl.parse(url);
    List<String> done = dryRun ? Migration.pending(postgres) : Migration.run(postgres);
    if (done.isEmpty()) {
      System.out.println("the tables are up to date");
    }
    done.forEach(each -> System.out.println((dryRun ? "to run: " : "run: ") + each));
    if (!dryRun) {
      IdSequences.advance(postgres)
          .forEach(table -> System.out.println("advanced the sequence of ids of " + table));
    }
    if (!dryRun && grant(postgres)) {
      System.out.println("granted privileges to the roles of schemas/sql/roles.sql");
    }
    return Main.OK;
  }

  private boolean grant(PostgresUrl postgres) {
    if (!roles) {
      return Roles.grantIfPresent(postgres);
    }
    Roles.grant(postgres);
    return true;
  }
}
