package dev.rondo.history.fill;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.topology.policy.Spans;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fills new archives from finer ones. */
@Command(
    name = "fill",
    description = {
      "Fills new archives from those that a series already has, in the background.",
      "",
      "Archives that were added to a policy are filled from its finer ones; those of series "
          + "that have moved, from the archives of their former policy. Values that points brought "
          + "are kept. ./rondo up runs it. If it is killed, the next run resumes where it stopped; a "
          + "second one waits until the first has ended."
    },
    footer = {
      "./rondo policies show --fills prints how far each archive is.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class FillCommand implements Callable<Integer> {
  private static final int LOOK_MS = 10_000;

  @Option(names = "--once", description = "Fill what can be filled now, and end.")
  private boolean once;

  @Option(names = "--dry-run", description = "Print what would be filled from what, and end.")
  private boolean dryRun;

  @Option(
      names = "--rate",
      paramLabel = "ROWS",
      defaultValue = "2000",
      description = "Rows read and written a second (default: ${DEFAULT-VALUE}).")
  private long rate;

  @Option(
      names = "--settle",
      paramLabel = "SPAN",
      defaultValue = "10m",
      description =
          "Fill slots once their segment has slots that are newer by this; newer ones may "
              + "still change (default: ${DEFAULT-VALUE}).")
  private String settle;

  @Option(
      names = "--patience",
      paramLabel = "SPAN",
      defaultValue = "1h",
      description = "Fill a segment without newer slots after this (default: ${DEFAULT-VALUE}).")
  private String patience;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder of ./rondo up (default: .rondo in the clone).")
  private Path dir;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    if (rate < 1) {
      throw CommandException.misuse("%d rows a second are less than 1 (--rate)".formatted(rate));
    }
    var readiness =
        new Readiness(span(settle, "--settle"), span(patience, "--patience"), Clock.systemUTC());
    if (dryRun) {
      try (FillSession session = open()) {
        FillPlan.lines(session).forEach(System.out::println);
      }
      return ExitCode.OK;
    }
    if (once) {
      try (FillSession session = open()) {
        if (!session.lock()) {
          throw CommandException.refused("another process fills the archives of this database");
        }
        int waiting = new Filler(readiness, rate, System.out::println).fill(session);
        System.out.printf("%d segments wait for newer slots%n", waiting);
      }
      return ExitCode.OK;
    }
    Commands.logAsPart();
    Logger log = LoggerFactory.getLogger(FillCommand.class);
    var filler = new Filler(readiness, rate, log::info);
    while (true) {
      run(filler, log);
      Thread.sleep(LOOK_MS);
    }
  }

  /** Until the connection fails. */
  private void run(Filler filler, Logger log) throws IOException, InterruptedException {
    try (FillSession session = open()) {
      while (!session.lock()) {
        Thread.sleep(LOOK_MS);
      }
      log.info("fills new archives");
      while (true) {
        filler.fill(session);
        Thread.sleep(LOOK_MS);
      }
    } catch (SQLException e) {
      log.warn("PostgreSQL failed, next attempt in 10 s: {}", e.getMessage());
    }
  }

  private FillSession open() throws IOException, SQLException {
    Connection connection = database.connect("rondo-fill", dir);
    try {
      return FillSession.open(connection);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static Duration span(String text, String option) {
    return Duration.ofMillis(Spans.parseMs(text, option));
  }
}
