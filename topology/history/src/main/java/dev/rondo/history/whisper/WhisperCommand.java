package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.history.fill.Throttle;
import dev.rondo.history.locations.Locations;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.history.slots.SlotWriter;
import dev.rondo.rows.WriteMode;
import dev.rondo.tools.command.Author;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.series.Deletions;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports the Whisper files of a Graphite. */
@Command(
    name = "whisper",
    description = {
      "Imports the Whisper files of a Graphite, while points flow.",
      "",
      "Writes them into the archives of their policies and creates missing series. Values that "
          + "are already stored are kept. If it is killed, the next run resumes where it stopped, "
          + "and reads files that have changed since."
    },
    footer = {
      "DIR is carbon's storage folder: DIR/a/b.wsp is the series a.b. A slot gets the value of "
          + "the archive with the same step, otherwise of the finest archive that reaches back to "
          + "it, consolidated or spread. Unfinished slots are not written.",
      "",
      "Exit code 0 on success, also if files were skipped; 1 when the command failed, 2 on "
          + "wrong usage."
    })
public final class WhisperCommand implements Callable<Integer> {
  /** For the next new series. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Parameters(index = "0", paramLabel = "DIR", description = "Folder with the files.")
  private Path dir;

  @Option(names = "--dry-run", description = "Print what would be imported, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--overwrite",
      description =
          "Also replace values that are already stored (default: fill unknown slots only).")
  private boolean overwrite;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Do not write slots that end after this time (default: write all).")
  private String until;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Segments to write concurrently (default: one for each processor).")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--rate",
      paramLabel = "ROWS",
      description = "Rows written a second (default: no limit).")
  private int rate = Integer.MAX_VALUE;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a line to FILE for each skipped file, with the reason.")
  private Path reportFile;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "File that stores the progress of the import (default: in the data folder, by DIR).")
  private Path stateFile;

  @Mixin private final WhisperOptions options = new WhisperOptions();

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, SQLException, ExecutionException, InterruptedException {
    WhisperOptions.checked(workers, "workers", "--workers");
    WhisperOptions.checked(rate, "rows a second", "--rate");
    long untilMs = WhisperOptions.untilMs(until, clock);
    WhisperTree.check(dir);
    TopologyConfig config = options.config();
    Policies policies = options.policies(config);
    try (ImportReport report = ImportReport.begin(reportFile);
        Deletions deletions = new Deletions(config)) {
      List<String> files = WhisperTree.files(dir, report);
      ImportedFiles named = options.files(config, policies, report);
      Collection<Imported> imported = named.of(files).values();
      print(String.format(Locale.ROOT, "%,d files, %,d series", files.size(), imported.size()));
      WriteMode mode = overwrite ? WriteMode.OVERWRITE : WriteMode.FILL;
      var reader = new WhisperReader(clock);
      var plan =
          new SegmentPlan(
              dir,
              named,
              reader,
              policies,
              new Locations(
                  config, Author.name() + ": backfill whisper " + dir, PATIENCE, deletions),
              mode,
              clock,
              report);
      Collection<SegmentFiles> segments;
      try (Connection connection = options.connect()) {
        segments = plan.of(SlotSession.open(connection), imported, !dryRun);
      }
      String created = dryRun ? "would be created" : "created";
      print(String.format(Locale.ROOT, "%,d series %s", plan.missing(), created));
      if (!dryRun) {
        write(segments, reader, mode, config.getInt("width"), untilMs, report);
      }
      report.lines().forEach(this::print);
    }
    return ExitCode.OK;
  }

  private void write(
      Collection<SegmentFiles> segments,
      WhisperReader reader,
      WriteMode mode,
      int width,
      long untilMs,
      ImportReport report)
      throws IOException, ExecutionException, InterruptedException {
    var throttle = new Throttle(rate);
    Supplier<SegmentImport> imports =
        () ->
            new SegmentImport(
                dir, reader, new SlotWriter(mode, width), throttle, clock, untilMs, report);
    long members = segments.stream().mapToLong(segment -> segment.members().size()).sum();
    try (ImportState state = ImportState.open(state(mode));
        var progress = new ImportProgress(members, Commands.isOnTerminal(), this::print)) {
      new SegmentWorkers(dir, imports, state, report, progress)
          .write(segments, workers, options::connect);
      double seconds = progress.seconds();
      print(
          String.format(
              Locale.ROOT,
              "%,d values in %,d rows of %,d files written in %.1f s: %.0f files/s, %.0f rows/s",
              report.values.sum(),
              report.rows.sum(),
              report.files.sum(),
              seconds,
              report.files.sum() / seconds,
              report.rows.sum() / seconds));
    }
  }

  private void print(String line) {
    System.out.println(line);
  }

  /** By the folder that is imported, and the mode. */
  private Path state(WriteMode mode) throws IOException {
    if (stateFile != null) {
      return stateFile;
    }
    String key = mode + " " + dir.toRealPath();
    Path home = options.home();
    Files.createDirectories(home.toAbsolutePath());
    return home.resolve("whisper-%s.state".formatted(UUID.nameUUIDFromBytes(key.getBytes(UTF_8))));
  }
}
