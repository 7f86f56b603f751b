package dev.rondo.tools.series;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.segment.NewestPoints;
import dev.rondo.topology.topics.PolicyVersionTopic;
import dev.rondo.topology.topics.TopicReader;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.Serdes;

/** The series that the topology knows, from its topics. */
public final class KnownSeries {
  private static final int MOST_NAMED = 5;

  private KnownSeries() {}

  /**
   * A series and its location.
   *
   * @param policy name of the policy
   * @param position from 1
   * @param firstMs time of its first point, or of the last one before it moved, epoch ms
   * @param source topic of its first point; "(backfill)" if no topic made it
   */
  public record Series(String policy, int segment, int position, long firstMs, String source) {}

  /** The series that are selected, by ident. */
  public static Map<String, Series> read(TopologyConfig config, Predicate<String> isSelected)
      throws InterruptedException {
    Map<String, Series> series = new TreeMap<>();
    Map<String, String> names = new HashMap<>(); // one object for each name
    read(
        config,
        config.topic(Topics.SERIES),
        (ident, entry) -> {
          if (entry == null || !entry.getRenamedTo().isEmpty()) {
            series.remove(ident);
          } else if (isSelected.test(ident)) {
            series.put(ident, of(entry, names));
          }
        });
    return series;
  }

  private static Series of(SeriesEntry entry, Map<String, String> names) {
    return new Series(
        names.computeIfAbsent(entry.getPolicy(), name -> name),
        entry.getSeg(),
        entry.getPos(),
        entry.getStartsAt(),
        names.computeIfAbsent(
            entry.getSource().isEmpty() ? "(backfill)" : entry.getSource(), name -> name));
  }

  /** When the newest point of each series came, up to the last commit of its task. */
  static NewestPoints newest(TopologyConfig config) throws InterruptedException {
    var versions = PolicyVersionTopic.read(config);
    if (versions.isEmpty()) {
      throw CommandException.refused(
          "%s has no version for application.id '%s': start the topology once"
              .formatted(config.topic(Topics.POLICIES).name(), config.getString("application.id")));
    }
    String yaml = versions.get(versions.size() - 1).getYaml();
    NewestPoints newest = new NewestPoints(PoliciesFile.parse(yaml));
    String name =
        config.getString("application.id") + "-" + Consolidate.SEGMENTS_STORE + "-changelog";
    read(config, new Topic<>(name, Serdes.ByteArray(), Serdes.ByteArray(), Map.of()), newest::add);
    return newest;
  }

  private static <K, V> void read(
      TopologyConfig config, Topic<K, V> topic, BiConsumer<K, V> entries)
      throws InterruptedException {
    try {
      TopicReader.read(config, topic, entries);
    } catch (IllegalStateException e) {
      throw CommandException.refused(e.getMessage());
    }
  }

  /** The first of some series, for messages. */
  static String named(Collection<String> series) {
    return series.stream().sorted().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (series.size() > MOST_NAMED ? ", ..." : "");
  }

  /** A number with its thousands apart. */
  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Columns of equal width, two spaces apart. */
  static void print(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], line.get(c).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        text.append(line.get(c)).append(" ".repeat(widths[c] - line.get(c).length() + 2));
      }
      System.out.println(text.toString().stripTrailing());
    }
  }
}
