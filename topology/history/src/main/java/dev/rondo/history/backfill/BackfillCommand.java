package dev.rondo.history.backfill;

import dev.rondo.history.job.JobCommands;
import dev.rondo.history.job.JobStart;
import dev.rondo.history.job.JobsFolder;
import dev.rondo.history.whisper.WhisperCommand;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.TopologySettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Adds points of the past. Exit code 0, 1 on failure, 2 on wrong usage. */
@Command(
    name = "backfill",
    // generated, it would not show what topics and files require
    customSynopsis = {
      "./rondo backfill --topic=TOPIC... [OPTIONS]",
      "       ./rondo backfill --file=FILE... --format=FORMAT [OPTIONS]",
      "       ./rondo backfill whisper DIR [OPTIONS]",
      "       ./rondo backfill COMMAND [JOB]"
    },
    description = {
      "Adds points of the past from topics, files or Whisper files, while live points flow.",
      "",
      "The points may be older than those of their series. They are consolidated by the policies that"
          + " apply now, and fill unknown slots. Series that do not exist are created. After a kill,"
          + " ./rondo backfill resume continues."
    },
    subcommands = {
      WhisperCommand.class,
      JobCommands.Status.class,
      JobCommands.Pause.class,
      JobCommands.Resume.class,
      JobCommands.Cancel.class
    },
    footer = {
      "TIME is ISO 8601 (2026-03-01T14:00:00Z; without an offset it is UTC), epoch seconds or "
          + "milliseconds, or a span back such as 90m, 6h or 2d: that of points, not of records.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class BackfillCommand implements Callable<Integer> {
  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Topic to read as a whole; repeatable.")
  private List<String> topics = List.of();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "File of lines to read, also .gz and .zst; can be repeated.")
  private List<Path> files = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Format of the records, as of a source (default: that of the source, otherwise auto); of "
              + "files: graphite, influx, putval or json.")
  private String format;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Do not write slots that end at or before this time (default: write all).")
  private String from;

  @Mixin private final JobStart.Options options = new JobStart.Options();

  @Option(names = "--dry-run", description = "Show the plan, and change nothing.")
  private boolean dryRun;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Mixin private final JobsFolder jobs = new JobsFolder();
  @Mixin private final TopologySettings settings = new TopologySettings();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, SQLException, ExecutionException, InterruptedException {
    if (topics.isEmpty() == files.isEmpty()) {
      throw CommandException.misuse("give topics, or files (--topic, --file)");
    }
    var start = new JobStart(settings, jobs.path(settings), database, spec.commandLine().getOut());
    return topics.isEmpty()
        ? start.backfillFiles(files, format, from, options, dryRun)
        : start.backfill(topics, format, from, options, dryRun);
  }
}
