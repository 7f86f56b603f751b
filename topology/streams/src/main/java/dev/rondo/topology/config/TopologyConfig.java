package dev.rondo.topology.config;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.kafka.Replication;
import dev.rondo.connection.settings.Nearest;
import dev.rondo.formats.Naming;
import dev.rondo.formats.RecordLimits;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.Registries;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the topology, read from a properties file and the environment. A key that begins with
 * {@code streams.} is passed to Kafka Streams without that prefix; any other unknown key is an
 * error that names the nearest known key.
 */
public final class TopologyConfig extends AbstractConfig {
  public static final String STREAMS_PREFIX = "streams.";

  private final KafkaSettings kafka;
  private final TopicNames names;

  private TopologyConfig(Map<?, ?> values) {
    super(SettingDefinitions.ALL, values, false);
    String file = getString("kafka.config");
    kafka =
        KafkaSettings.read(getString("bootstrap.servers"), file.isEmpty() ? null : Path.of(file));
    this.names = names(values());
  }

  /** Defaults {@code application.id} to the prefix. */
  @Override
  protected Map<String, Object> postProcessParsedConfig(Map<String, Object> parsed) {
    return "".equals(parsed.get("application.id"))
        ? Map.of("application.id", parsed.get(TopicNames.PREFIX_KEY))
        : Map.of();
  }

  private static TopicNames names(Map<String, ?> values) {
    try {
      return TopicNames.of(values);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
  }

  public TopicNames names() {
    return names;
  }

  /** Returns a topic of {@link Topics} under its name in this Rondo. */
  public <K, V> Topic<K, V> topic(Topic<K, V> topic) {
    return names.of(topic);
  }

  /** Checks keys and values; throws {@link ConfigException} naming the wrong key. */
  public static TopologyConfig of(Properties properties) {
    Set<String> known = SettingDefinitions.ALL.names();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith(STREAMS_PREFIX) && !known.contains(key)) {
        List<String> candidates = new ArrayList<>(known);
        throw new ConfigException(
            "unknown key '%s': did you mean '%s'?".formatted(key, Nearest.to(key, candidates)));
      }
    }
    TopologyConfig config = new TopologyConfig(properties);
    boolean isDefault = config.getList("sources").equals(List.of(Topics.POINTS.name()));
    if (!isDefault && !config.getString("sources.file").isEmpty()) {
      throw new ConfigException("sources and sources.file are both set: use one of them");
    }
    if (config.kafka.bootstrap().isEmpty()) {
      throw new ConfigException(
          "no Kafka brokers: set bootstrap.servers, here, in kafka.config or as"
              + " RONDO_KAFKA_BOOTSTRAP_SERVERS");
    }
    return config;
  }

  /** Reads and checks the settings of {@link #properties}. */
  public static TopologyConfig read(Optional<Path> file, Map<String, String> environment)
      throws IOException {
    return of(properties(file, environment));
  }

  /**
   * Returns the settings of a file, overridden by the environment.
   *
   * @param file empty = only the environment
   */
  public static Properties properties(Optional<Path> file, Map<String, String> environment)
      throws IOException {
    Properties properties = new Properties();
    if (file.isPresent()) {
      try (Reader reader = Files.newBufferedReader(file.get())) {
        properties.load(reader);
      } catch (NoSuchFileException | AccessDeniedException e) {
        throw new ConfigException(
            "the settings file is missing or not readable: name it as the argument or in "
                + EnvironmentSettings.FILE_VARIABLE);
      }
    }
    properties.putAll(EnvironmentSettings.of(environment));
    return properties;
  }

  /** Returns how all clients of the topology connect to Kafka. */
  public KafkaSettings kafka() {
    return kafka;
  }

  /**
   * Returns the policies of {@code policies.file}, or the default policies.
   *
   * @throws SettingException if they are invalid, or an archive is too short for {@code
   *     max.future.ms}
   */
  public Policies policies() {
    String file = getString("policies.file");
    Policies policies =
        file.isEmpty()
            ? PoliciesFile.parse(Policies.DEFAULT_YAML)
            : PoliciesFile.read(Path.of(file));
    policies.requireSpansOver(getLong("max.future.ms"));
    return policies;
  }

  /** Returns the text of {@code policies.file}, or of the default policies. */
  public String policiesYaml() {
    String file = getString("policies.file");
    return file.isEmpty()
        ? Policies.DEFAULT_YAML
        : YamlFile.read(Path.of(file), "policies.file", text -> text);
  }

  /**
   * Returns when {@code policies.file} was last changed, epoch ms.
   *
   * @throws SettingException if there is no such file
   */
  public long policiesChangedMs() {
    String file = getString("policies.file");
    try {
      return Files.getLastModifiedTime(Path.of(file)).toMillis();
    } catch (IOException e) {
      throw new SettingException("%s cannot be read: %s (policies.file)".formatted(file, e));
    }
  }

  /** Returns the rules of {@code sources.file} or {@code sources}. */
  public SourceRules sourceRules() {
    SourcesFile reader = new SourcesFile(sourceDefaults());
    String file = getString("sources.file");
    SourceRules all = file.isEmpty() ? reader.of(getList("sources")) : reader.read(Path.of(file));
    List<String> only = getList("sources.only");
    return only.isEmpty() ? all : all.only(only);
  }

  /** Returns the schema registries of {@code sources.file}. */
  public Registries registries() {
    String file = getString("sources.file");
    return file.isEmpty() ? new Registries() : SourcesFile.registries(Path.of(file));
  }

  public InternalTopics internalTopics() {
    return new InternalTopics(names, getString("application.id"));
  }

  /** Returns the naming of a source without rules. */
  public Naming naming() {
    return new Naming(getInt("ident.max.bytes"), getInt("ident.max.tags"));
  }

  public SourceDefaults sourceDefaults() {
    return new SourceDefaults(
        internalTopics(),
        getInt("ident.max.bytes"),
        getInt("ident.max.tags"),
        new RecordLimits(
            getInt("record.max.bytes"), getInt("record.max.points"), getLong("record.max.cpu.ms")),
        policies());
  }

  /** Returns the sources: named topics, and existing topics that match patterns. */
  public List<Source> sources(Admin admin) throws ExecutionException, InterruptedException {
    return sourceRules().among(admin.listTopics().names().get());
  }

  /** Whether all metrics of Kafka's own are exported, not only selected ones. */
  public boolean exportsAllKafkaMetrics() {
    return getString("metrics.kafka").equals(SettingDefinitions.ALL_METRICS);
  }

  /** Returns the name of this instance, unique in the cluster and the same at every start. */
  public String instance() {
    return getString("application.id") + "-" + getString("instance.id");
  }

  /** Returns properties of an admin client, as Kafka Streams derives them. */
  public Map<String, Object> admin() {
    return new StreamsConfig(streams()).getAdminConfigs(getString("application.id") + "-topics");
  }

  /** Returns properties of a read-committed consumer without a group, for manual assignment. */
  public Map<String, Object> reader() {
    Map<String, Object> reader =
        new StreamsConfig(streams())
            .getRestoreConsumerConfigs(getString("application.id") + "-reader");
    reader.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500); // its topics seldom have new entries
    return reader;
  }

  /**
   * Returns properties of a producer without transactions that sends at once and waits for all
   * replicas.
   */
  public Map<String, Object> writer() {
    Map<String, Object> writer =
        new StreamsConfig(streams()).getProducerConfigs(getString("application.id") + "-writer");
    writer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    return writer;
  }

  /** Returns the transactional id of all writers of policy versions. */
  public String policiesTransactionalId() {
    return getString("application.id") + "-policies";
  }

  /** Returns how long a crashed member stays in the consumer group. */
  public Duration sessionTimeout() {
    return consumerDuration(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
  }

  /** Returns how long a thread that does not poll stays in the consumer group. */
  public Duration pollLimit() {
    return consumerDuration(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
  }

  private Duration consumerDuration(String key) {
    Map<String, Object> consumer =
        new StreamsConfig(streams())
            .getMainConsumerConfigs(getString("application.id"), "reader", 0);
    Object given = consumer.getOrDefault(key, ConsumerConfig.configDef().defaultValues().get(key));
    return Duration.ofMillis(Integer.parseInt(given.toString()));
  }

  /** Returns properties of Kafka Streams; {@code streams.*} keys override the defaults. */
  public Properties streams() {
    return StreamsProperties.of(this);
  }

  /**
   * Returns properties of Kafka Streams with the replication of internal topics that the cluster
   * allows.
   */
  public Properties streams(Replication replication) {
    Properties streams = new Properties();
    replication
        .factor()
        .ifPresent(n -> streams.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, n.toString()));
    replication.configs().forEach((key, v) -> streams.put(StreamsConfig.topicPrefix(key), v));
    streams.putAll(streams());
    return streams;
  }
}
