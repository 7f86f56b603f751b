package dev.rondo.local;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Rondo's tables in somebody's PostgreSQL. */
@Command(
    name = "migrate",
    sortOptions = false,
    customSynopsis = "./rondo migrate --postgres=URL [--dry-run] [--roles]",
    description =
        "%nMakes Rondo's tables in a database, or brings them up to date. Run it before the programs of"
            + " a new version start; sinks may go on writing.%n",
    footer = {
      "",
      "Environment: PGPASSWORD (password of the user, where URL has none).",
      "",
      "docs/how-to/postgresql.md tells what each migration locks, and how to do it with Flyway alone."
    })
final class MigrateCommand implements Callable<Integer> {
  @Option(
      names = "--postgres",
      paramLabel = "URL",
      required = true,
      description =
          "The database, postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE; USER owns its tables, or"
              + " may create them.")
  private String url;

  @Option(names = "--dry-run", description = "Only say what there is to do.")
  private boolean dryRun;

  @Option(
      names = "--roles",
      description =
          "Also make the roles rondo_writer, rondo_reader and rondo_event_writer (USER needs"
              + " CREATEROLE); where they are, they are given their rights at each run.")
  private boolean roles;

  @Override
  public Integer call() {
    var postgres = PostgresUrl.parse(url);
    List<String> done = dryRun ? Migration.pending(postgres) : Migration.run(postgres);
    if (done.isEmpty()) {
      System.out.println("all migrations have been run");
    }
    done.forEach(each -> System.out.println((dryRun ? "to run: " : "run: ") + each));
    if (!dryRun && grant(postgres)) {
      System.out.println("rondo_writer and rondo_reader have their rights");
    }
    return Rondo.OK;
  }

  private boolean grant(PostgresUrl postgres) {
    if (!roles) {
      return Roles.grantIfThere(postgres);
    }
    Roles.grant(postgres);
    return true;
  }
}
