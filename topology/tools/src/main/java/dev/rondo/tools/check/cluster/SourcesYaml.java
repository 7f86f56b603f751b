package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.tools.check.mapping.SchemaProposal;
import dev.rondo.tools.size.SizeText;
import dev.rondo.tools.size.SourceCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints proposals as a sources file. What is not a source is a comment. */
public final class SourcesYaml {
  private static final String AUTO = "    format: auto";

  private SourcesYaml() {}

  /**
   * The lines of the file.
   *
   * @param origin of the proposals, a comment
   */
  public static List<String> lines(ClusterCheck check, String origin) {
    List<String> lines = new ArrayList<>();
    List<TopicProposal> sources = check.sources();
    lines.add("# " + origin);
    lines.add(
        "# %d topics are sources, %d are not, %d of Rondo, Kafka and Kafka Streams are left out"
            .formatted(sources.size(), check.topics().size() - sources.size(), check.internal()));
    lines.add("# all sources: " + load(check.pointsPerSecond(), check.series(), check.cost()));
    lines.add(sources.isEmpty() ? "sources: []" : "sources:");
    for (TopicProposal source : sources) {
      lines.add("  # " + load(source.pointsPerSecond(), source.series(), source.cost()));
      check.weakness(source).ifPresent(text -> lines.add("  # " + text));
      lines.add(
          "  - topic: %s  # %s records/s, %s"
              .formatted(
                  SchemaProposal.quoted(source.topic()),
                  rate(source.recordsPerSecond()),
                  source.timestampType()));
      Map<String, Object> settings = new LinkedHashMap<>(source.settings());
      settings.remove("topic");
      for (String line : SchemaProposal.lines(settings)) {
        lines.add(line + (line.equals(AUTO) ? "  # records in several formats" : ""));
      }
      lines.add("    keyed: %s  # %s".formatted(source.keyed().isKeyed(), source.keyed().why()));
    }
    for (Kind kind : Kind.values()) {
      List<TopicProposal> refused = check.refused(kind);
      if (!refused.isEmpty()) {
        lines.add("");
        lines.add("# %s:".formatted(kind.title()));
        refused.forEach(topic -> lines.add("#   " + topic.topic() + detail(topic)));
      }
    }
    return lines;
  }

  private static String detail(TopicProposal topic) {
    Optional<String> detail =
        topic.refusal().map(TopicProposal.Refusal::detail).filter(text -> !text.isEmpty());
    return detail.map(text -> ": " + text.replaceAll("\\R", " ")).orElse("");
  }

  /** Such as {@code 1200 points/s, 12000 series, 0.02 cores, 24 rows/s, 1.3 GB}. */
  static String load(double pointsPerSecond, SeriesEstimate series, SourceCost cost) {
    return String.format(
        Locale.ROOT,
        "%s points/s, %s%d series, %.2f cores, %s rows/s, %s",
        rate(pointsPerSecond),
        series.isLeast() ? "at least " : "",
        series.series(),
        cost.cores(),
        rate(cost.rowsPerSecond()),
        SizeText.bytes(cost.diskBytes()));
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
  }
}
