package dev.rondo.tools.series;

import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.segment.NewestPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists series and their locations. */
@Command(
    name = "list",
    description = {
      "Lists series.",
      "",
      "Shows ident, policy, source (the topic of the first point), location "
          + "(segment:position), and the time of the first point, or of the last one before the "
          + "series moved there. Needs a running Kafka."
    },
    footer = {
      "PATTERN is Graphite's, for untagged names, such as app.*.load; '**' matches all. "
          + "TAGEXPR is name=load, host!=web01, host=~web.* or seriesByTag('name=load'); a series "
          + "must match all of them. The ident of a tagged series is a TAGEXPR, too.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
final class ListCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "PATTERN|TAGEXPR", description = "Series to list.")
  private List<String> selection;

  @Option(
      names = "--newest",
      description = "Also print the time of the newest point; this reads the state of all series.")
  private boolean newest;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var isSelected = Selection.of(selection);
    TopologyConfig config = settings.connect();
    Map<String, KnownSeries.Series> series = KnownSeries.read(config, isSelected);
    NewestPoints points = newest ? KnownSeries.newest(config) : null;
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        line(
            "series", "policy", "source", "location", "first point", newest ? "newest point" : ""));
    series.forEach(
        (ident, at) ->
            lines.add(
                line(
                    ident,
                    at.policy(),
                    at.source(),
                    at.segment() + ":" + at.position(),
                    PastTime.show(at.firstMs()),
                    newest ? time(points.ms(at.segment(), at.position())) : "")));
    KnownSeries.print(lines);
    return ExitCode.OK;
  }

  private static List<String> line(String... columns) {
    return List.of(columns);
  }

  private static String time(long ms) {
    return ms == Long.MIN_VALUE ? "-" : PastTime.show(ms);
  }
}
