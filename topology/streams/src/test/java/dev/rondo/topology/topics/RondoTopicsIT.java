package dev.rondo.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.Topics;
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
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creates and checks topics on a real broker, before the topology runs. */
class RondoTopicsIT {
  private static final List<Source> POINTS = List.of(source("points", false));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static KafkaBroker kafka;
  private static Admin admin;

  @BeforeAll
  static void start() {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.close();
  }

  @BeforeEach
  @AfterEach
  void deleteAll() throws Exception {
    await()
        .atMost(Duration.ofMinutes(3)) // a new topic is not always listed at once
        .ignoreExceptions()
        .until(
            () -> {
              admin.deleteTopics(topics()).all().get();
              return topics().isEmpty();
            });
  }

  private static Source source(String topic, boolean isKeyed) {
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    return new Source(topic, Format.GRAPHITE, settings, isKeyed, "");
  }

  private static void create(List<Source> sources, String... settings) throws Exception {
    Properties properties = new Properties();
    properties.putAll(Map.of("bootstrap.servers", kafka.bootstrap(), "state.dir", "unused"));
    properties.load(new StringReader(String.join("\n", settings)));
    RondoTopics.create(admin, TopologyConfig.of(properties), sources);
  }

  private static Set<String> topics() throws Exception {
    return admin.listTopics().names().get();
  }

  private static void topic(String name, int partitions, Map<String, String> configs)
      throws Exception {
    var topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
    NewTopics.create(admin, List.of(topic));
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> topics().contains(name)); // the controller knows a new topic first
  }

  private static int partitions(String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .size();
  }

  private static String config(String topic, String key) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(key).value();
  }

  private static boolean isOwnConfig(String topic, String key) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(key).source()
        == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
  }

  @Test
  void shouldCreateMissingTopicsOnce() throws Exception {
    topic("rondo.series", 7, Map.of());
    for (int start = 0; start < 2; start++) {
      create(POINTS, "partitions=4");
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () ->
                  assertThat(topics())
                      .containsExactlyInAnyOrder(
                          "points",
                          "rondo.series",
                          "rondo.bundle-rows",
                          "rondo.events",
                          "rondo.dead-letters",
                          "rondo.replays",
                          "rondo.partitions",
                          "rondo.policies",
                          "rondo.deletions"));
      assertThat(partitions("rondo.bundle-rows")).isEqualTo(4);
      assertThat(partitions("rondo.series")).as("as it was").isEqualTo(7);
      assertThat(config("rondo.dead-letters", TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
          .isEqualTo("4194304");
    }
  }

  @Test
  void shouldRejectASourceThatDoesNotExist() {
    assertThatThrownBy(() -> create(List.of(source("metrics", false)), "partitions=4"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "source topic 'metrics' does not exist: create it, or set sources.create (sources)");
  }

  @Test
  void shouldCreateMissingSourcesIfConfigured() throws Exception {
    create(List.of(source("metrics", false)), "partitions=4", "sources.create=true");

    await().atMost(Duration.ofMinutes(3)).until(() -> topics().contains("metrics"));
    assertThat(partitions("metrics")).isEqualTo(4);
    assertThat(config("metrics", TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG))
        .isEqualTo("LogAppendTime");
  }

  @Test
  void shouldCreateBySeriesIfAllSourcesAreKeyed() throws Exception {
    topic("keyed", 2, Map.of());
    List<Source> keyed = List.of(source("keyed", true));

    create(keyed, "partitions=4");

    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> topics().contains("rondo-by-series-repartition"));
    assertThat(partitions("rondo-by-series-repartition")).isEqualTo(4);
    assertThat(config("rondo-by-series-repartition", TopicConfig.RETENTION_MS_CONFIG))
        .isEqualTo("-1");
    assertThat(
            isOwnConfig("rondo-by-series-repartition", TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG))
        .as("CreateTime whatever the broker's default is")
        .isTrue();
    assertThat(RondoTopics.partitions(admin, keyed, 4))
        .containsExactlyInAnyOrder(new TopicPartition("keyed", 0), new TopicPartition("keyed", 1));
  }

  @Test
  void shouldRejectAKeyedSourceWithMorePartitionsThanTasks() throws Exception {
    topic("keyed", 5, Map.of());

    assertThatThrownBy(() -> RondoTopics.partitions(admin, List.of(source("keyed", true)), 4))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Invalid value 4 for configuration partitions: keyed source 'keyed' has 5"
                + " partitions, which is more (keyed)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "by-series-repartition",
        "segments-changelog",
        "locations-changelog",
        "merge-buffer-changelog"
      })
  void shouldRejectAChangedNumberOfPartitions(String internal) throws Exception {
    topic("rondo-" + internal, 3, Map.of());
    assertThatThrownBy(() -> create(POINTS, "partitions=4"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Invalid value 4 for configuration partitions: topic 'rondo-%s' has 3 partitions;"
                    .formatted(internal)
                + " the number is fixed for the life of a deployment");
    assertThat(topics()).as("nothing is created").hasSize(1);
    create(POINTS, "partitions=3");
    create(POINTS, "partitions=4", "application.id=another");
  }

  @Test
  void shouldExitWithAWrongSetting() throws Exception {
    topic("rondo-segments-changelog", 3, Map.of());
    Path file = dir.resolve("topology.properties");
    Files.writeString(
        file,
        "bootstrap.servers=%s\nstate.dir=%s\nhttp.port=0\npartitions=4\n"
            .formatted(kafka.bootstrap(), dir.resolve("state")));
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
    assertThat(stderr).content().contains("'rondo-segments-changelog' has 3 partitions");
  }

  @Test
  void shouldRaiseTheRecordSizeLimitOfExistingDeadLetters() throws Exception {
    String key = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
    topic("rondo.dead-letters", 2, Map.of(TopicConfig.RETENTION_MS_CONFIG, "1000000"));
    create(POINTS, "partitions=4");
    String enough = Integer.toString(Topics.MAX_RECORD_BYTES);
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> config("rondo.dead-letters", key).equals(enough));
    assertThat(config("rondo.dead-letters", TopicConfig.RETENTION_MS_CONFIG))
        .as("as it was")
        .isEqualTo("1000000");
  }

  @Test
  void shouldKeepALargerRecordSizeLimitOfDeadLetters() throws Exception {
    String key = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
    topic("rondo.dead-letters", 2, Map.of(key, "8000000"));
    create(POINTS, "partitions=4");
    assertThat(config("rondo.dead-letters", key)).isEqualTo("8000000");
  }

  @Test
  void shouldNameEachDifferenceOfTopicsThatOthersCreate() throws Exception {
    topic("points", 2, Map.of());
    create(POINTS, "partitions=4", "rondo.prefix=acme");
    topic("acme-by-series-repartition", 4, Map.of());
    topic("acme-segments-changelog", 3, Map.of());
    topic("metric-rows", 4, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"));
    topic("requests", 2, Map.of(TopicConfig.RETENTION_MS_CONFIG, "60000"));
    topic("metric-series", 4, Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2"));

    assertThatThrownBy(
            () ->
                create(
                    POINTS,
                    "partitions=4",
                    "rondo.prefix=acme",
                    "topic.bundle.rows=metric-rows",
                    "topic.deletions=requests",
                    "topic.series=metric-series",
                    "topics.create=false"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "(topics.create):",
            "metric-rows: cleanup.policy is compact, must be delete: kafka-configs.sh --alter"
                + " --entity-type topics --entity-name metric-rows --add-config"
                + " cleanup.policy=delete",
            "metric-rows: message.timestamp.type is CreateTime, must be LogAppendTime: ",
            "requests: partitions is 2, must be 1: ",
            "requests: retention.ms is 60000, must be at least a day: kafka-configs.sh --alter",
            " --add-config retention.ms=2592000000",
            "metric-series: min.insync.replicas is 2, must be at most 1: ",
            "acme-by-series-repartition: retention.ms is 604800000, must be -1: ",
            "acme-segments-changelog: partitions is 3, must be 4: ",
            "acme-segments-changelog: max.message.bytes is 1048588, must be at least 4194304: ",
            "acme-locations-changelog does not exist: kafka-topics.sh --create --topic"
                + " acme-locations-changelog --partitions 4 --config cleanup.policy=compact")
        .hasMessageNotContaining("acme.series")
        .hasMessageNotContaining("acme.bundle-rows");
    assertThat(topics()).as("nothing is created").hasSize(14);
  }
}
