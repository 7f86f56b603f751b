package dev.rondo.tools.check.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.tools.size.SourceCost;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class SourcesYamlTest {
  private static final SourceDefaults DEFAULTS =
      new SourceDefaults(
          InternalTopics.DEFAULT,
          1024,
          64,
          RecordLimits.DEFAULT,
          PoliciesFile.parse(Policies.DEFAULT_YAML));

  private static TopicProposal source(String topic, String unit, String... idents) {
    return new TopicProposal(
        topic,
        Optional.empty(),
        unit == null
            ? Map.of("topic", topic, "format", "graphite")
            : Map.of("topic", topic, "format", "graphite", "time.unit", unit),
        new KeyedProposal(true, "the key equals tag host"),
        TimestampType.CREATE_TIME,
        12.34,
        1234.5,
        new SeriesEstimate(100, true),
        new SourceCost(0.1, 2, 3e6),
        Set.of(idents));
  }

  private static SourceRules parsed(ClusterCheck check) {
    String yaml = String.join("\n", SourcesYaml.lines(check, "Proposed"));
    return new SourcesFile(DEFAULTS).parse(yaml);
  }

  @Test
  void shouldBeLoadable() {
    List<String> topics = List.of("metrics.a", "1e3", "0x10", "1.5", "null", "-", ".", "_", "No");
    var proposals = new ArrayList<TopicProposal>();
    topics.forEach(topic -> proposals.add(source(topic, "ms")));
    proposals.add(TopicProposal.refused("orders", Kind.NO_POINTS, "unreadable: 'a\r\nb: [c'"));
    SourceRules rules = parsed(ClusterCheck.of(proposals, 3, Map.of()));
    assertThat(rules.named(true)).containsExactlyInAnyOrderElementsOf(topics);
    Source source = rules.of("1e3").orElseThrow();
    assertThat(source.format()).isEqualTo(Format.GRAPHITE);
    assertThat(rules.of("orders")).isEmpty();
  }

  @Test
  void shouldTellWhatEachSourceIs() {
    var check =
        ClusterCheck.of(
            List.of(source("b", null), TopicProposal.refused("a", Kind.NO_POINTS, "unreadable: x")),
            3,
            Map.of("b", "topic 'b' takes records ahead"));
    assertThat(SourcesYaml.lines(check, "Proposed"))
        .containsExactly(
            "# Proposed",
            "# 1 topics are sources, 1 are not, 3 of Rondo, Kafka and Kafka Streams are left out",
            "# all sources: 1235 points/s, at least 100 series, 0.10 cores, 2.0 rows/s, 3.0 MB",
            "sources:",
            "  # 1235 points/s, at least 100 series, 0.10 cores, 2.0 rows/s, 3.0 MB",
            "  # topic 'b' takes records ahead",
            "  - topic: b  # 12 records/s, CreateTime",
            "    format: graphite",
            "    keyed: true  # the key equals tag host",
            "",
            "# No points would be stored:",
            "#   a: unreadable: x");
  }

  @Test
  void shouldNotBeKeyedWhereTopicsShareASeries() {
    var check =
        ClusterCheck.of(
            List.of(source("a", null, "cpu"), source("b", null, "cpu"), source("c", null, "mem")),
            0,
            Map.of());
    assertThat(check.sources())
        .extracting(TopicProposal::keyed)
        .containsExactly(
            new KeyedProposal(false, "series 'cpu' is in topic b, too"),
            new KeyedProposal(false, "series 'cpu' is in topic a, too"),
            new KeyedProposal(true, "the key equals tag host"));
  }
}
