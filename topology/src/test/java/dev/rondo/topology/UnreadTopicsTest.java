package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnreadTopicsTest {
  @Test
  void shouldTellTopicsThatAPatternCoversAndThatAreNotRead() {
    SourceRules rules =
        new SourcesFile(
                new SourceDefaults("rondo", 200, 9, PoliciesFile.parse(Policies.DEFAULT_YAML)))
            .parse("sources: [{topic: other}, {pattern: 'metrics\\..*'}]");
    var registry = new SimpleMeterRegistry();
    try (var topics = new UnreadTopics(rules, List.of("metrics.a", "other"), registry)) {
      topics.see(Set.of("metrics.a", "other", "rondo.series", "more"));
      assertThat(unread(registry)).isZero();
      topics.see(Set.of("metrics.a", "metrics.b", "metrics.c", "other"));
      assertThat(unread(registry)).isEqualTo(2);
      topics.see(Set.of("metrics.a", "metrics.c"));
      assertThat(unread(registry)).isEqualTo(1);
    }
  }

  private static double unread(SimpleMeterRegistry registry) {
    return registry.get("rondo.sources.unread.topics").gauge().value();
  }
}
