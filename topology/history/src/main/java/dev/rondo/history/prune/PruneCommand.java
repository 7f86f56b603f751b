package dev.rondo.history.prune;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.UpFolder;
import dev.rondo.topology.policy.Spans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Deletes data from PostgreSQL that no query can reach. */
@Command(
    name = "prune",
    description = {
      "Deletes data from PostgreSQL that no query can reach.",
      "",
      "Deletes the slots of retired archives, and of segments without series, that are older "
          + "than their archive reaches back; and former locations of series, and archives, of which "
          + "nothing is left. Sinks and queries continue."
    },
    footer = {
      "Environment: PGPASSWORD (password of the user, if URL has none).",
      "",
      "Each statement is one transaction, so an interrupted run leaves no partial change, and the"
          + " next run continues. docs/how-to/policies.md describes what is kept.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class PruneCommand implements Callable<Integer> {
  private static final String USER = "rondo_prune";

  /** Longer than any archive; still within the range of PostgreSQL's timestamps. */
  private static final Duration MOST = Duration.ofDays(36_500);

  @Option(names = "--dry-run", description = "Show what would be removed, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--older-than",
      paramLabel = "SPAN",
      defaultValue = "1d",
      description =
          "Remove only what has been out of reach for longer, such as 12h or 7d (default: 1d).")
  private String olderThan;

  @ArgGroup private final Server server = new Server();

  /** One of the two; without either, the default of the first. */
  static final class Server {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "Data folder of ./rondo up (default: .rondo in the clone).")
    private Path dir;

    @Option(
        names = "--postgres",
        paramLabel = "URL",
        description =
            "The database of a Rondo that ./rondo up did not start,"
                + " postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE; USER must be a member of"
                + " rondo_pruner.")
    private String url;

    PostgresUrl postgres() throws IOException {
      return url == null ? UpFolder.postgres(dir, USER) : PostgresUrl.parse(url);
    }
  }

  @Override
  public Integer call() throws IOException {
    Pruned pruned = Prune.run(server.postgres(), olderThan(), dryRun, System.out::println);
    System.out.println((dryRun ? "would remove " : "removed ") + pruned);
    if (dryRun) {
      System.out.println("nothing was changed (--dry-run)");
    }
    return ExitCode.OK;
  }

  private Duration olderThan() {
    Duration span = Duration.ofMillis(Spans.parseMs(olderThan, "--older-than"));
    if (span.compareTo(MOST) > 0) {
      throw CommandException.misuse(
          "%s is longer than %dd (--older-than)".formatted(olderThan, MOST.toDays()));
    }
    return span;
  }
}
