package dev.rondo.topology;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reference page of the metrics is generated from what an instance exports. */
@Timeout(300)
class MetricsPageIT {
  private static final Path PAGE = Path.of("../../docs/reference/topology-metrics.md");
  private static final String COMMAND =
      "./mvnw -q verify -pl topology/streams -am -Dtest=NoUnit -Dit.test=MetricsPageIT"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false"
          + " -Dpage.write=true";
  private static final Pattern METRIC =
      Pattern.compile("(?m)^# HELP (rondo_\\w+) (.*)\\n# TYPE \\w+ (\\w+)\\n\\w+(\\{[^}]*\\})?");
  private static final Pattern KAFKA_METRIC = Pattern.compile("(?m)^(kafka_\\w+?)(?:_total)?[{ ]");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=");

  private static final String SOURCES =
      """
      sources:
        - {topic: %s, format: graphite}
        - {topic: %s, format: graphite}
        - {topic: %s, format: avro, registry: 'http://127.0.0.1:1', mapping: {values: [v]}}
      """;

  @TempDir Path dir;

  @Test
  void shouldMatchWhatAnInstanceExports() throws Exception {
    KafkaSpace kafka = TestBed.kafka();
    try (var load = new UnkeyedLoad(kafka.bootstrap(), kafka.source("unkeyed"), 2);
        var admin = Admin.create(kafka.client());
        var topology = new TopologyProcess(dir, kafka.bootstrap())) {
      NewTopics.create(admin, List.of(new NewTopic(kafka.source("schemas"), 1, (short) 1)));
      Path sources = dir.resolve("sources.yaml");
      Files.writeString(
          sources,
          SOURCES.formatted(
              kafka.source("unkeyed"), kafka.source("missing"), kafka.source("schemas")));
      topology
          .set("rondo.prefix", kafka.prefix())
          .set("sources.file", sources)
          .set("partitions", 2)
          .start();
      load.resume();
      await().until(() -> topology.metric("rondo_rows_sent_total") > 0);

      String scraped = topology.get("/metrics");
      assertThat(kafkaMetrics(scraped)).isEqualTo(selected());
      String page = page(scraped);
      if (Boolean.getBoolean("page.write")) {
        Files.writeString(PAGE, page);
      }
      assertThat(PAGE).as("after a change of metrics: %s", COMMAND).hasContent(page);
    }
  }

  /** Names of the metrics of Kafka's own, without the ending that the format adds to counters. */
  private static Set<String> kafkaMetrics(String scraped) {
    return KAFKA_METRIC.matcher(scraped).results().map(m -> m.group(1)).collect(toSet());
  }

  /** Those that an instance has from its start; the lag of partitions follows within a minute. */
  private static Set<String> selected() {
    return KafkaMeters.NAMES.stream()
        .map(name -> name.replace('.', '_').replaceFirst("_total$", ""))
        .filter(name -> !name.equals("kafka_consumer_fetch_manager_records_lag"))
        .collect(toSet());
  }

  private static String page(String scraped) {
    Map<String, String> lines = new TreeMap<>();
    METRIC.matcher(scraped).results().forEach(found -> lines.put(found.group(1), line(found)));
    return """
        # Metrics of the topology

        What `GET /metrics` exports besides `jvm_*` of the JVM, and the `kafka_*` of Kafka Streams and its clients
        that [`metrics.kafka`](topology-settings.md) selects.

        Generated from a running instance, by `%s`.

        | metric | type | meaning |
        |---|---|---|
        %s
        """
        .formatted(COMMAND, String.join("\n", lines.values()));
  }

  private static String line(MatchResult found) {
    String labels =
        found.group(4) == null
            ? ""
            : LABEL
                .matcher(found.group(4))
                .results()
                .map(label -> label.group(1))
                .collect(Collectors.joining(",", "{", "}"));
    return "| `%s%s` | %s | %s |".formatted(found.group(1), labels, found.group(3), found.group(2));
  }
}
