package dev.rondo.tools.series;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Spans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts series by what they have in common. */
@Command(
    name = "top",
    description = {
      "Counts series by policy, source, first nodes of their names, or label.",
      "",
      "Needs a running Kafka."
    },
    footer = {
      "The source of a series is the topic of its first point, also if others send it later.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
final class TopCommand implements Callable<Integer> {
  /** What is counted by. */
  enum By {
    policy,
    source,
    prefix,
    label
  }

  @Option(
      names = "--by",
      paramLabel = "policy|source|prefix|label",
      defaultValue = "prefix",
      description =
          "policy, source (topic), prefix (default), or label: for each key its values and "
              + "series; the key with the most values first.")
  private By by;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description = "Nodes of a prefix (default: 1).")
  private int depth;

  @Option(
      names = "--source",
      paramLabel = "TOPIC",
      description = "Count only series of this source, as named by --by=source.")
  private String source;

  @Option(
      names = "--new-since",
      paramLabel = "SPAN",
      description = "Count only series whose first point is at most this old, such as 1h.")
  private String newSince;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Lines to print (default: 20).")
  private int limit;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (depth < 1 || limit < 1) {
      throw CommandException.misuse(
          "%d is less than 1 (%s)"
              .formatted(Math.min(depth, limit), depth < 1 ? "--depth" : "--limit"));
    }
    long fromMs =
        newSince == null
            ? Long.MIN_VALUE
            : System.currentTimeMillis() - Spans.parseMs(newSince, "--new-since");
    TopologyConfig config = settings.connect();
    Map<String, KnownSeries.Series> series = KnownSeries.read(config, ident -> true);
    series
        .values()
        .removeIf(
            one -> one.firstMs() < fromMs || (source != null && !one.source().equals(source)));
    System.out.println(
        KnownSeries.number(series.size())
            + " series"
            + (source == null ? "" : " of " + source)
            + (newSince == null ? "" : " since " + newSince));
    if (!series.isEmpty()) {
      KnownSeries.print(by == By.label ? labels(series.keySet()) : counts(series));
    }
    return ExitCode.OK;
  }

  private List<List<String>> counts(Map<String, KnownSeries.Series> series) {
    Map<String, Long> counts = new HashMap<>();
    series.forEach((ident, one) -> counts.merge(group(ident, one), 1L, Long::sum));
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("series", by.name()));
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(limit)
        .forEach(count -> lines.add(List.of(KnownSeries.number(count.getValue()), count.getKey())));
    return lines;
  }

  private String group(String ident, KnownSeries.Series one) {
    return switch (by) {
      case policy -> one.policy();
      case source -> one.source();
      default -> prefix(Ident.parse(ident));
    };
  }

  private String prefix(Ident ident) {
    List<String> nodes = Arrays.asList(ident.name().split("\\.", -1));
    return nodes.stream().limit(depth).collect(Collectors.joining("."))
        + (nodes.size() > depth ? ".*" : "");
  }

  /** The values and the series of a key. */
  private static final class Label {
    private final Set<String> values = new HashSet<>();
    private long series;
  }

  private List<List<String>> labels(Collection<String> idents) {
    Map<String, Label> labels = new HashMap<>();
    for (String ident : idents) {
      Ident.parse(ident)
          .tags()
          .forEach(
              (key, value) -> {
                Label label = labels.computeIfAbsent(key, k -> new Label());
                label.values.add(value);
                label.series++;
              });
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("values", "series", "label"));
    labels.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Label>>comparingInt(e -> -e.getValue().values.size())
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .forEach(
            e ->
                lines.add(
                    List.of(
                        KnownSeries.number(e.getValue().values.size()),
                        KnownSeries.number(e.getValue().series),
                        e.getKey())));
    return lines;
  }
}
