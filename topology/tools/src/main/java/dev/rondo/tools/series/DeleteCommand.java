package dev.rondo.tools.series;

import dev.rondo.tools.command.Author;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.Confirmation;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Spans;
import dev.rondo.topology.segment.NewestPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes series of a running topology. */
@Command(
    name = "delete",
    description = {
      "Deletes series while the topology runs.",
      "",
      "Series and their history are no longer found, and their positions are given to new "
          + "series. A deleted series that sends again is a new one."
    },
    footer = {
      "PATTERN and TAGEXPR are those of ./rondo series list. Without them, --silent-since "
          + "selects from all series.",
      "",
      "Exit code 0 on success, 1 when series were not deleted or the command failed, 2 on wrong "
          + "usage."
    })
final class DeleteCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "PATTERN|TAGEXPR", description = "Series to delete.")
  private List<String> selection = new ArrayList<>();

  @Option(
      names = "--silent-since",
      paramLabel = "SPAN",
      description = "Select only series without a point for this long, such as 30d.")
  private String silentSince;

  @Option(names = "--dry-run", description = "Show the series, and delete nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    if (selection.isEmpty() && silentSince == null) {
      throw CommandException.misuse(
          "no series given: PATTERN, TAGEXPR or --silent-since; '**' are all untagged ones");
    }
    var isSelected =
        selection.isEmpty() ? (Predicate<String>) ident -> true : Selection.of(selection);
    OptionalLong silentSinceMs =
        silentSince == null
            ? OptionalLong.empty()
            : OptionalLong.of(
                System.currentTimeMillis() - Spans.parseMs(silentSince, "--silent-since"));
    TopologyConfig config = settings.connect();
    Map<String, KnownSeries.Series> series = KnownSeries.read(config, isSelected);
    if (silentSinceMs.isPresent()) {
      NewestPoints newest = KnownSeries.newest(config);
      series
          .values()
          .removeIf(one -> newest.ms(one.segment(), one.position()) > silentSinceMs.getAsLong());
    }
    System.out.println(
        KnownSeries.number(series.size()) + " series: " + KnownSeries.named(series.keySet()));
    if (series.isEmpty()) {
      return ExitCode.OK;
    }
    if (dryRun) {
      System.out.println("nothing was deleted (--dry-run)");
      return ExitCode.OK;
    }
    if (!yes) {
      Confirmation.ask("delete them with their history? (yes) ", "nothing was deleted");
    }
    return delete(config, series.keySet(), silentSinceMs);
  }

  private int delete(TopologyConfig config, Set<String> series, OptionalLong silentSinceMs)
      throws ExecutionException, InterruptedException {
    String by = Author.name() + ": series delete " + String.join(" ", selection);
    String silent = silentSince == null ? "" : " --silent-since=" + silentSince;
    long begunNs = System.nanoTime();
    Set<String> left =
        new Requests(config, Requests.PATIENCE).delete(series, by.strip() + silent, silentSinceMs);
    return Requests.report(
        "deleted",
        series.size(),
        left,
        begunNs,
        "the topology does not run, or they have just sent a point");
  }
}
