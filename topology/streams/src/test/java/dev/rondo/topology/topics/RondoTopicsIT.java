package dev.rondo.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.Main;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.Source;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Creates and checks topics on a real broker, before the topology runs. The default source has no
 * prefix: no other test has it on the shared broker.
 */
class RondoTopicsIT {
  private static final List<Source> POINTS = List.of(source("points", false));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String keyed = kafka.source("keyed");
  private final Admin admin = Admin.create(kafka.client());

  @BeforeEach
  void deleteDefaultSource() throws Exception {
    try {
      admin.deleteTopics(List.of("points")).all().get();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }
    await("the default source is gone")
        .atMost(Duration.ofMinutes(3))
        .until(() -> !topics().contains("points"));
  }

  @AfterEach
  void stop() throws Exception {
    deleteDefaultSource();
    admin.close();
  }

  private static Source source(String topic, boolean isKeyed) {
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    return new Source(topic, Format.GRAPHITE, settings, isKeyed, "");
  }

  private void create(List<Source> sources, String... settings) throws Exception {
    Properties properties = new Properties();
    properties.putAll(kafka.client());
    properties.putAll(Map.of("rondo.prefix", kafka.prefix(), "state.dir", "unused"));
    properties.load(new StringReader(String.join("\n", settings)));
    RondoTopics.create(admin, TopologyConfig.of(properties), sources);
  }

  /** Those of this test. */
  private Set<String> topics() throws Exception {
    return admin.listTopics().names().get().stream()
        .filter(name -> name.equals("points") || name.startsWith(kafka.prefix()))
        .collect(Collectors.toSet());
  }

  private String internal(String name) {
    return kafka.prefix() + "-" + name;
  }

  private void topic(String name, int partitions, Map<String, String> configs) throws Exception {
    var topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
    NewTopics.create(admin, List.of(topic));
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> topics().contains(name)); // the controller knows a new topic first
  }

  private int partitions(String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .size();
  }

  private String config(String topic, String key) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(key).value();
  }

  private boolean isOwnConfig(String topic, String key) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(key).source()
        == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
  }

  @Test
  void shouldCreateMissingTopicsOnce() throws Exception {
    topic(kafka.topic("series"), 7, Map.of());
    for (int start = 0; start < 2; start++) {
      create(POINTS, "partitions=4");
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () ->
                  assertThat(topics())
                      .containsExactlyInAnyOrder(
                          "points",
                          kafka.topic("series"),
                          kafka.topic("bundle-rows"),
                          kafka.topic("events"),
                          kafka.topic("dead-letters"),
                          kafka.topic("replays"),
                          kafka.topic("partitions"),
                          kafka.topic("policies"),
                          kafka.topic("series-requests")));
      assertThat(partitions(kafka.topic("bundle-rows"))).isEqualTo(4);
      assertThat(partitions(kafka.topic("series"))).as("as it was").isEqualTo(7);
      assertThat(config(kafka.topic("dead-letters"), TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
          .isEqualTo("4194304");
    }
  }

  @Test
  void shouldNotCreateASourceThatDoesNotExist() throws Exception {
    String metrics = kafka.source("metrics");
    create(List.of(source(metrics, false)), "partitions=4");
    await().atMost(Duration.ofMinutes(3)).until(() -> topics().contains(kafka.topic("series")));
    assertThat(topics()).doesNotContain(metrics);
  }

  @Test
  void shouldCreateMissingSourcesIfConfigured() throws Exception {
    String metrics = kafka.source("metrics");
    create(List.of(source(metrics, false)), "partitions=4", "sources.create=true");

    await().atMost(Duration.ofMinutes(3)).until(() -> topics().contains(metrics));
    assertThat(partitions(metrics)).isEqualTo(4);
    assertThat(config(metrics, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG))
        .isEqualTo("LogAppendTime");
  }

  @Test
  void shouldCreateBySeriesIfAllSourcesAreKeyed() throws Exception {
    String bySeries = internal("by-series-repartition");
    topic(keyed, 2, Map.of());
    List<Source> sources = List.of(source(keyed, true));

    create(sources, "partitions=4");

    await().atMost(Duration.ofMinutes(3)).until(() -> topics().contains(bySeries));
    assertThat(partitions(bySeries)).isEqualTo(4);
    assertThat(config(bySeries, TopicConfig.RETENTION_MS_CONFIG)).isEqualTo("-1");
    assertThat(isOwnConfig(bySeries, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG))
        .as("CreateTime whatever the broker's default is")
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "by-series-repartition",
        "segments-changelog",
        "locations-changelog",
        "merge-buffer-changelog"
      })
  void shouldRejectAChangedNumberOfPartitions(String name) throws Exception {
    topic(internal(name), 3, Map.of());
    assertThatThrownBy(() -> create(POINTS, "partitions=4"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Invalid value 4 for configuration partitions: topic '%s' has 3 partitions;"
                    .formatted(internal(name))
                + " the number is fixed for the life of a deployment");
    assertThat(topics()).as("nothing is created").hasSize(1);
    create(POINTS, "partitions=3");
    create(POINTS, "partitions=4", "application.id=another");
  }

  @Test
  void shouldExitWithAWrongSetting() throws Exception {
    topic(internal("segments-changelog"), 3, Map.of());
    Path file = dir.resolve("topology.properties");
    Files.writeString(
        file,
        "bootstrap.servers=%s\nrondo.prefix=%s\nstate.dir=%s\nhttp.port=0\npartitions=4\n"
            .formatted(kafka.bootstrap(), kafka.prefix(), dir.resolve("state")));
    Path stderr = dir.resolve("stderr");
    Process process =
        new ProcessBuilder(
                JavaCommand.of(
                    System.getProperty("java.class.path"),
                    List.of("-Xmx128m"),
                    Main.class.getName(),
                    file.toString()))
            .redirectOutput(dir.resolve("stdout").toFile())
            .redirectError(stderr.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(stderr)
        .content()
        .contains("'%s' has 3 partitions".formatted(internal("segments-changelog")));
  }

  @Test
  void shouldRaiseTheRecordSizeLimitOfExistingDeadLetters() throws Exception {
    String key = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
    topic(kafka.topic("dead-letters"), 2, Map.of(TopicConfig.RETENTION_MS_CONFIG, "1000000"));
    create(POINTS, "partitions=4");
    String enough = Integer.toString(Topics.MAX_RECORD_BYTES);
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> config(kafka.topic("dead-letters"), key).equals(enough));
    assertThat(config(kafka.topic("dead-letters"), TopicConfig.RETENTION_MS_CONFIG))
        .as("as it was")
        .isEqualTo("1000000");
  }

  @Test
  void shouldKeepALargerRecordSizeLimitOfDeadLetters() throws Exception {
    String key = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
    topic(kafka.topic("dead-letters"), 2, Map.of(key, "8000000"));
    create(POINTS, "partitions=4");
    assertThat(config(kafka.topic("dead-letters"), key)).isEqualTo("8000000");
  }

  @Test
  void shouldListEachDifferenceOfExistingTopics() throws Exception {
    String segments = internal("segments-changelog");
    String locations = internal("locations-changelog");
    String rows = kafka.source("metric-rows");
    String requests = kafka.source("requests");
    String series = kafka.source("metric-series");
    topic("points", 2, Map.of());
    create(POINTS, "partitions=4");
    topic(internal("by-series-repartition"), 4, Map.of());
    topic(segments, 3, Map.of());
    topic(rows, 4, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"));
    topic(requests, 2, Map.of(TopicConfig.RETENTION_MS_CONFIG, "60000"));
    topic(series, 4, Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2"));

    assertThatThrownBy(
            () ->
                create(
                    POINTS,
                    "partitions=4",
                    "topic.bundle.rows=" + rows,
                    "topic.series.requests=" + requests,
                    "topic.series=" + series,
                    "topics.create=false"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "(topics.create):",
            rows
                + ": cleanup.policy is compact, must be delete: kafka-configs.sh --alter"
                + " --entity-type topics --entity-name "
                + rows
                + " --add-config cleanup.policy=delete",
            rows + ": message.timestamp.type is CreateTime, must be LogAppendTime: ",
            requests + ": partitions is 2, must be 1: ",
            requests + ": retention.ms is 60000, must be at least a day: kafka-configs.sh --alter",
            " --add-config retention.ms=2592000000",
            series + ": min.insync.replicas is 2, must be at most 1: ",
            internal("by-series-repartition") + ": retention.ms is 604800000, must be -1: ",
            segments + ": partitions is 3, must be 4: ",
            segments + ": max.message.bytes is 1048588, must be at least 4194304: ",
            locations
                + " does not exist: kafka-topics.sh --create --topic "
                + locations
                + " --partitions 4 --config cleanup.policy=compact")
        .hasMessageNotContaining(kafka.topic("series"))
        .hasMessageNotContaining(kafka.topic("bundle-rows"));
    assertThat(topics()).as("nothing is created").hasSize(14);
  }
}
