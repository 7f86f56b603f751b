package dev.rondo.topology.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RightsTest {
  @TempDir Path dir;

  private static TopologyConfig config(String... settings) throws IOException {
    Properties properties = new Properties();
    properties.load(
        new StringReader("bootstrap.servers=a:1\nstate.dir=s\n" + String.join("\n", settings)));
    return TopologyConfig.of(properties);
  }

  private static List<String> rights(Part part, String... settings) throws IOException {
    return Rights.of(config(settings), part).stream().map(Right::text).toList();
  }

  @Test
  void shouldFollowThePrefixAndNamesOfTopics() throws IOException {
    List<String> rights =
        rights(Part.TOPOLOGY, "rondo.prefix=team", "topic.series=team-series", "sources=metrics");

    assertThat(rights)
        .contains(
            "Read on topic metrics",
            "Write on topic team-series",
            "Write on topic team.bundle-rows",
            "Delete on topic team-by-series-repartition",
            "Read on group team",
            "Write on transactional id team-*")
        .doesNotContain("Create on topic metrics")
        .doesNotHaveDuplicates();
    assertThat(rights(Part.CONNECT, "rondo.prefix=team", "topic.series=team-series"))
        .contains(
            "Read on topic team-series",
            "DescribeConfigs on topic team-series",
            "Read on topic team-connect-offset",
            "Read on group team-connect",
            "Read on group connect-team-postgres-sink");
    assertThat(rights(Part.API, "rondo.prefix=team", "sources=metrics"))
        .containsExactly(
            "Write on topic team.series-requests",
            "Read on topic team.dead-letters",
            "Write on topic team.dead-letters",
            "Write on topic metrics");
  }

  @Test
  void shouldCreateTopicsOnlyIfAllowed() throws IOException {
    assertThat(rights(Part.TOPOLOGY)).contains("Create on topic points");
    assertThat(rights(Part.TOPOLOGY, "topics.create=false"))
        .noneMatch(right -> right.startsWith("Create"))
        .contains("DescribeConfigs on topic rondo-by-series-repartition");
    assertThat(rights(Part.CONNECT, "topics.create=false"))
        .noneMatch(right -> right.startsWith("Create"));
  }

  @Test
  void shouldWriteOnlyPoliciesInTransactionsUnlessExactlyOnce() throws IOException {
    assertThat(rights(Part.TOPOLOGY, "processing.guarantee=at_least_once"))
        .filteredOn(right -> right.contains("transactional"))
        .containsExactly("Write on transactional id rondo-policies");
  }

  @Test
  void shouldReadAllTopicsThatAPatternMayMatch() throws IOException {
    Path file = Files.writeString(dir.resolve("s"), "sources: [{pattern: 'metrics-.*'}]");

    assertThat(rights(Part.TOPOLOGY, "sources.file=" + file)).contains("Read on topic metrics-*");
    assertThat(rights(Part.SENDERS, "sources.file=" + file))
        .containsExactly("Write on topic metrics-*");
  }

  @Test
  void shouldExplainARefusedRequestInOneLine() throws IOException {
    TopologyConfig config = config("sources=metrics");
    var topic = new RuntimeException(new TopicAuthorizationException(Set.of("rondo.series")));

    assertThat(MissingRights.explain(config, Part.TOPOLOGY, topic).orElseThrow())
        .contains("Read on topic rondo.series, Write on topic rondo.series")
        .contains("./rondo check access --part=topology")
        .doesNotContain("\n");
    assertThat(
            MissingRights.explain(
                config, Part.TOPOLOGY, GroupAuthorizationException.forGroupId("rondo")))
        .hasValueSatisfying(text -> assertThat(text).contains("needs Read on group rondo;"));
    assertThat(
            MissingRights.explain(
                config, Part.TOPOLOGY, new TransactionalIdAuthorizationException("Denied")))
        .hasValueSatisfying(text -> assertThat(text).contains("Write on transactional id rondo-*"));
    assertThat(MissingRights.explain(config, Part.TOPOLOGY, new RuntimeException("x"))).isEmpty();
  }
}
