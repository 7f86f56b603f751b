package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterFilter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.DeadLetterReader;
import dev.rondo.tools.deadletters.read.FilterOptions;
import dev.rondo.tools.deadletters.read.SentMarks;
import dev.rondo.tools.deadletters.resend.ResendCommand;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Lists the dead letters; its subcommand resends them. Exit code 0, 1 on failure, 2 on wrong usage.
 */
@Command(
    name = "dead-letters",
    subcommands = ResendCommand.class,
    description = {
      "Lists dead letters: records that could not be stored, the newest last.",
      "",
      "Shows when, why, topic, partition and offset of the record, how many points, the first "
          + "error and the beginning of the bytes, text or hex."
    },
    footer = {
      "TIME is ISO 8601 (2026-03-01T14:00:00Z; without an offset it is UTC), epoch seconds or"
          + " milliseconds, or a span back such as 90m, 6h or 2d.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class DeadLettersCommand implements Callable<Integer> {
  @Mixin private FilterOptions filters;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of the newest to list (default: ${DEFAULT-VALUE}).")
  private int limit;

  @ArgGroup private final Shape shape = new Shape();

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  /** Output as JSON or as a summary; neither: text. */
  private static final class Shape {
    @Option(
        names = "--json",
        description = "Print one JSON object per line, with key and bytes in base64.")
    private boolean json;

    @Option(
        names = "--summary",
        description = "Only print counts by reason and topic, ignoring the limit.")
    private boolean summary;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1) {
      throw CommandException.misuse("limit %d is less than 1 (--limit)".formatted(limit));
    }
    DeadLetterFilter filter = filters.filter(clock);
    TopologyConfig config = settings.connect();
    PrintWriter out = spec.commandLine().getOut();
    try (DeadLetterReader reader = new DeadLetterReader(config)) {
      if (shape.summary) {
        summary(reader, filter).lines().forEach(out::println);
      } else {
        list(reader, filter, out);
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private static DeadLetterSummary summary(DeadLetterReader reader, DeadLetterFilter filter) {
    DeadLetterSummary summary = new DeadLetterSummary();
    reader.read(
        filter, record -> DeadLetter.of(record).filter(filter::matches).ifPresent(summary::add));
    return summary;
  }

  private void list(DeadLetterReader reader, DeadLetterFilter filter, PrintWriter out) {
    SentMarks marks = new SentMarks(reader.begins());
    List<DeadLetterLocation> newest = new NewestDeadLetters(reader, filter, limit, marks).find();
    for (List<DeadLetterLocation> batch : DeadLetterLocation.batches(newest)) {
      for (DeadLetter deadLetter : reader.read(batch)) {
        boolean isSent = marks.isSent(deadLetter.location());
        if (shape.json) {
          out.println(DeadLetterJson.line(deadLetter, isSent));
        } else {
          DeadLetterText.lines(deadLetter, isSent).forEach(out::println);
        }
      }
    }
    if (newest.isEmpty() && !shape.json) {
      out.println("no dead letters");
    }
  }
}
