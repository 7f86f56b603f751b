package dev.rondo.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.ValidString.in;

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
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the topology, read from a properties file and the environment. A key that begins with
 * {@code streams.} is passed to Kafka Streams without that prefix; any other unknown key is an
 * error that names the nearest known key.
 */
public final class TopologyConfig extends AbstractConfig {
  public static final String STREAMS_PREFIX = "streams.";

  /** Linger of the producer where records are read before the commit, ms. */
  private static final long MIN_LINGER_MS = 100;

  /** The upper 16 bits of a segment number, which is not negative, are the partition. */
  private static final int MAX_PARTITIONS = 1 << 15;

  /** With the most archives, the state of a segment of this width still fits into a record. */
  private static final int MAX_WIDTH = 2_000;

  private static final String EXACTLY_ONCE = StreamsConfig.EXACTLY_ONCE_V2;
  private static final String AT_LEAST_ONCE = StreamsConfig.AT_LEAST_ONCE;

  public static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              "bootstrap.servers",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "Kafka bootstrap servers, host:port, separated by commas; empty = those of"
                  + " RONDO_KAFKA_BOOTSTRAP_SERVERS or kafka.config.")
          .define(
              "kafka.config",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "Properties file with settings of all Kafka clients, such as security.protocol, ssl.*"
                  + " and sasl.*; empty = RONDO_KAFKA_CONFIG. A variable such as"
                  + " RONDO_KAFKA_SASL_JAAS_CONFIG wins over the file.")
          .define(
              TopicNames.PREFIX_KEY,
              ConfigDef.Type.STRING,
              TopicNames.DEFAULT_PREFIX,
              HIGH,
              "Prefix of everything that this Rondo has on the cluster: its topics PREFIX.series"
                  + " and so on, and application.id. Several Rondos on one cluster need different"
                  + " prefixes and databases. Fixed for the life of a deployment.")
          .define(
              "application.id",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "Consumer group, and prefix of the internal topics and transactional ids; empty ="
                  + " rondo.prefix.")
          .define(
              "instance.id",
              ConfigDef.Type.STRING,
              "1",
              HIGH,
              "Name of this instance, unique in the application and the same at every start, so that a"
                  + " restarted instance gets its partitions back at once.")
          .define(
              "sources",
              ConfigDef.Type.LIST,
              Topics.POINTS.name(),
              HIGH,
              "Topics to read points from, each as topic or topic=format; the default format is auto.")
          .define(
              "sources.file",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "YAML file of sources, instead of the list: formats, names, policies, topic patterns.")
          .define(
              "sources.create",
              ConfigDef.Type.BOOLEAN,
              false,
              LOW,
              "Whether missing source topics are created, for example on a broker that only Rondo"
                  + " uses. The topic points is always created, unless topics.create=false.")
          .define(
              "sources.only",
              ConfigDef.Type.LIST,
              "",
              LOW,
              "Topics to read, of those that sources cover; empty = all.")
          .define(
              "topics.create",
              ConfigDef.Type.BOOLEAN,
              true,
              MEDIUM,
              "Whether missing topics of Rondo are created. With false the start is refused unless"
                  + " all topics exist, the internal ones too, with the settings that Rondo needs;"
                  + " the message lists each difference.")
          .define(
              "policies.file",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "YAML file of the first version of the policies; empty = every series at 10s:6h, 1m:7d and"
                  + " 1h:1y. Once rondo.policies has a version, that one applies.")
          .define(
              "policies.apply.at.start",
              ConfigDef.Type.BOOLEAN,
              false,
              LOW,
              "Whether policies.file is applied as the next version of the policies at each start, if"
                  + " it differs and was changed after the newest version was applied. Only for a"
                  + " single instance: others with another file would apply theirs.")
          .define(
              "state.dir",
              ConfigDef.Type.STRING,
              HIGH,
              "Folder of this instance for its lock and identity. State is in memory and in Kafka.")
          .define(
              "partitions",
              ConfigDef.Type.INT,
              16,
              between(1, MAX_PARTITIONS),
              HIGH,
              "Partitions of the by-series topic and of the output topics: the maximum number of"
                  + " tasks. Fixed for the life of a deployment.")
          .define(
              "partitions.accepted",
              ConfigDef.Type.LIST,
              "",
              LOW,
              "Topics whose number of partitions may have changed: keyed sources, whose series then"
                  + " move to other partitions, or rondo.* topics.")
          .define(
              "width",
              ConfigDef.Type.INT,
              116,
              between(1, MAX_WIDTH),
              MEDIUM,
              "Positions in a segment, which is the number of series that share a row. Applies to new"
                  + " segments; an existing segment keeps its width.")
          .define(
              "threads",
              ConfigDef.Type.INT,
              1,
              between(1, 1024),
              MEDIUM,
              "Stream threads of this instance; tasks are spread over them.")
          .define(
              "processing.guarantee",
              ConfigDef.Type.STRING,
              EXACTLY_ONCE,
              in(EXACTLY_ONCE, AT_LEAST_ONCE),
              MEDIUM,
              "exactly_once_v2 or at_least_once; with at_least_once a crash can count points twice.")
          .define(
              "standby.replicas",
              ConfigDef.Type.INT,
              0,
              between(0, 8),
              MEDIUM,
              "Instances that keep a copy of a task's state. When an instance is lost, they take over"
                  + " at once; without a copy, another instance first restores the state from Kafka."
                  + " Use 1 if more than one instance runs.")
          .define(
              "commit.interval.ms",
              ConfigDef.Type.LONG,
              1000L,
              between(10, 9_000),
              MEDIUM,
              "Time between commits, ms. The sink sees rows after a commit.")
          .define(
              "merge.sources",
              ConfigDef.Type.BOOLEAN,
              true,
              MEDIUM,
              "Whether the points of a series may come from several source partitions, as with records"
                  + " without a key or with a random key. Points are then buffered, for about a second,"
                  + " until all source partitions are decoded up to the same time. Set false if record"
                  + " keys are series or hosts.")
          .define(
              "merge.max.wait.ms",
              ConfigDef.Type.LONG,
              120_000L,
              between(1000, 3_600_000),
              LOW,
              "How long points are buffered for a source partition that does not advance while others"
                  + " do, ms. Use a value longer than a rebalance after the loss of an instance takes.")
          .define(
              "row.linger.ms",
              ConfigDef.Type.LONG,
              2000L,
              atLeast(0),
              MEDIUM,
              "How long a row is buffered for the values of its other series, ms; at most half of its"
                  + " step.")
          .define(
              "refresh.ms",
              ConfigDef.Type.LONG,
              60_000L,
              atLeast(1000),
              LOW,
              "How often the open slots of archives with a longer step are emitted, ms.")
          .define(
              "emit.by.time",
              ConfigDef.Type.BOOLEAN,
              true,
              LOW,
              "Whether the passing of time emits slots, those of silent series and open ones, and"
                  + " retires series. With false each slot is emitted once: by the point that closes"
                  + " it, or at the end of a live replay.")
          .define(
              "max.points.per.second",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              LOW,
              "How many points this instance decodes per second; 0 = as many as it can.")
          .define(
              "max.future.ms",
              ConfigDef.Type.LONG,
              600_000L,
              atLeast(0),
              MEDIUM,
              "How far a point may be ahead of its record's time, ms. A point further ahead becomes a"
                  + " dead letter, as all later points of its series would be late. Each archive of"
                  + " policies.file has a longer span.")
          .define(
              "max.age.ms",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              MEDIUM,
              "How far a point may be behind its record's time, ms; 0 = as far as the longest archive"
                  + " of its policy reaches. An older point, and each before the year 2000, becomes a"
                  + " dead letter.")
          .define(
              "max.series",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              MEDIUM,
              "Maximum number of series of this instance, in addition to the limits of its policies;"
                  + " 0 = as many as fit into half of its heap.")
          .define(
              "new.series.max.per.second",
              ConfigDef.Type.LONG,
              2_000L,
              atLeast(1),
              MEDIUM,
              "How many new series of each source topic the application accepts per second of the"
                  + " points' time, once the burst is used up; divided evenly among the partitions.")
          .define(
              "new.series.burst",
              ConfigDef.Type.LONG,
              500_000L,
              atLeast(1),
              MEDIUM,
              "How many new series of each source topic the application accepts at once; divided"
                  + " evenly among the partitions.")
          .define(
              "dead.letters.max.bytes.per.second",
              ConfigDef.Type.LONG,
              1_048_576L,
              atLeast(0),
              MEDIUM,
              "How many bytes of dead letters this instance writes per second, after a burst of one"
                  + " minute's worth. What exceeds the limit is only counted.")
          .define(
              "ident.max.bytes",
              ConfigDef.Type.INT,
              1024,
              between(1, 2000),
              LOW,
              "Maximum length of a name with its tags, bytes; a point with a longer one is a dead"
                  + " letter.")
          .define(
              "ident.max.tags",
              ConfigDef.Type.INT,
              64,
              between(0, 1000),
              LOW,
              "Maximum number of tags of a series; a point with more is a dead letter.")
          .define(
              "record.max.bytes",
              ConfigDef.Type.INT,
              RecordLimits.DEFAULT.maxBytes(),
              between(1, 1 << 30),
              LOW,
              "Maximum length of a source record, as sent and decompressed, bytes; a longer one is a"
                  + " dead letter.")
          .define(
              "record.max.points",
              ConfigDef.Type.INT,
              RecordLimits.DEFAULT.maxPoints(),
              between(1, 1 << 22),
              LOW,
              "Maximum number of points and drops of a source record; the rest of a record with more"
                  + " is not read, and the record is a dead letter.")
          .define(
              "record.max.cpu.ms",
              ConfigDef.Type.LONG,
              RecordLimits.DEFAULT.maxCpuMs(),
              between(1, 600_000),
              LOW,
              "Maximum CPU time for a source record, ms; the rest of a record that takes longer is"
                  + " not read, and the record is a dead letter.")
          .define(
              "format.version",
              ConfigDef.Type.INT,
              FormatVersion.PREVIOUS.number(),
              between(1, FormatVersion.NEWEST.number()),
              LOW,
              "Format in which state is written; all formats are read. The default is the format that"
                  + " the previous release reads too, for rolling upgrades and rollbacks.")
          .define(
              "http.host",
              ConfigDef.Type.STRING,
              "127.0.0.1",
              MEDIUM,
              "Address of /health, /metrics, /drops and /series.")
          .define(
              "http.port",
              ConfigDef.Type.INT,
              8889,
              between(0, 65_535),
              MEDIUM,
              "Port of /health, /metrics, /drops and /series; 0 = any free port.");

  static {
    for (Topic<?, ?> topic : Topics.OWN) {
      DEFINITION.define(
          TopicNames.key(topic),
          ConfigDef.Type.STRING,
          "",
          LOW,
          "Name of the topic %s; empty = PREFIX.%s."
              .formatted(topic.name(), TopicNames.suffix(topic)));
    }
  }

  private final KafkaSettings kafka;
  private final TopicNames names;

  private TopologyConfig(Map<?, ?> values) {
    super(DEFINITION, values, false);
    String file = getString("kafka.config");
    kafka =
        KafkaSettings.read(getString("bootstrap.servers"), file.isEmpty() ? null : Path.of(file));
    this.names = names(values());
  }

  /** The application has the prefix as its id, unless it has another. */
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

  /** Names of the topics of this Rondo. */
  public TopicNames names() {
    return names;
  }

  /** A topic of {@link Topics} under its name in this Rondo. */
  public <K, V> Topic<K, V> topic(Topic<K, V> topic) {
    return names.of(topic);
  }

  /** Checks keys and values; throws a {@link ConfigException} that names the wrong key. */
  public static TopologyConfig of(Properties properties) {
    Set<String> known = DEFINITION.names();
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
   * The settings of a file and of the environment, which win over the file.
   *
   * @param file empty = only those of the environment
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

  /** How all clients of the topology connect to Kafka. */
  public KafkaSettings kafka() {
    return kafka;
  }

  /**
   * The policies of {@code policies.file}, or the default policies.
   *
   * @throws SettingException if they have an error, or an archive that is too short for {@code
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

  /**
   * Text of {@code policies.file}, which {@link #policies} has read, or of the default policies.
   */
  public String policiesYaml() {
    String file = getString("policies.file");
    return file.isEmpty()
        ? Policies.DEFAULT_YAML
        : YamlFile.read(Path.of(file), "policies.file", text -> text);
  }

  /**
   * When {@code policies.file} was last changed, epoch ms.
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

  /** Which topics are read, and how: the rules of {@code sources.file} or {@code sources}. */
  public SourceRules sourceRules() {
    SourcesFile reader = new SourcesFile(sourceDefaults());
    String file = getString("sources.file");
    SourceRules all = file.isEmpty() ? reader.of(getList("sources")) : reader.read(Path.of(file));
    List<String> only = getList("sources.only");
    return only.isEmpty() ? all : all.only(only);
  }

  /** The schema registries of {@code sources.file}. */
  public Registries registries() {
    String file = getString("sources.file");
    return file.isEmpty() ? new Registries() : SourcesFile.registries(Path.of(file));
  }

  /** Topics that are never sources. */
  public InternalTopics internalTopics() {
    return new InternalTopics(names, getString("application.id"));
  }

  /** Names of a source without rules. */
  public Naming naming() {
    return new Naming(getInt("ident.max.bytes"), getInt("ident.max.tags"));
  }

  /** Defaults that all sources share. */
  public SourceDefaults sourceDefaults() {
    return new SourceDefaults(
        internalTopics(),
        getInt("ident.max.bytes"),
        getInt("ident.max.tags"),
        new RecordLimits(
            getInt("record.max.bytes"), getInt("record.max.points"), getLong("record.max.cpu.ms")),
        policies());
  }

  /** The topics to read: the named ones, and those that match patterns now. */
  public List<Source> sources(Admin admin) throws ExecutionException, InterruptedException {
    return sourceRules().among(admin.listTopics().names().get());
  }

  /** Name of this instance, unique in the cluster and the same at every start. */
  public String instance() {
    return getString("application.id") + "-" + getString("instance.id");
  }

  /** Properties of the admin client that creates topics, as Kafka Streams derives them. */
  public Map<String, Object> admin() {
    return new StreamsConfig(streams()).getAdminConfigs(getString("application.id") + "-topics");
  }

  /**
   * Properties of a consumer without a group, for manual assignment; it reads what is committed.
   */
  public Map<String, Object> reader() {
    Map<String, Object> reader =
        new StreamsConfig(streams())
            .getRestoreConsumerConfigs(getString("application.id") + "-reader");
    reader.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500); // a topic that seldom has new entries
    return reader;
  }

  /**
   * Properties of a producer without transactions, for records that somebody waits for; it waits
   * for all replicas.
   */
  public Map<String, Object> writer() {
    Map<String, Object> writer =
        new StreamsConfig(streams()).getProducerConfigs(getString("application.id") + "-writer");
    writer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    return writer;
  }

  /** Transactional id of whoever writes a version of the policies. */
  public String policiesTransactionalId() {
    return getString("application.id") + "-policies";
  }

  /** How long a crashed member stays in the consumer group. */
  public Duration sessionTimeout() {
    return consumerDuration(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
  }

  /** How long a thread that does not poll stays in the consumer group. */
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

  /** Properties of Kafka Streams; {@code streams.*} keys override the defaults. */
  public Properties streams() {
    Properties streams = new Properties();
    streams.putAll(kafka.properties());
    streams.put(StreamsConfig.APPLICATION_ID_CONFIG, getString("application.id"));
    streams.put(StreamsConfig.STATE_DIR_CONFIG, getString("state.dir"));
    streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, getInt("threads"));
    streams.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, getString("processing.guarantee"));
    streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, getInt("standby.replicas"));
    streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, getLong("commit.interval.ms"));
    // state is restored in seconds: a returning instance gets all its tasks at the next probing
    // rebalance, not two tasks every ten minutes
    streams.put(StreamsConfig.MAX_WARMUP_REPLICAS_CONFIG, getInt("partitions"));
    streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
    streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
        getString("instance.id"));
    // the merge decides what is buffered; Streams would check, and log, at every record
    streams.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    streams.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    // a few larger fetches instead of many small ones: rows are read after a commit anyway
    streams.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), 512 * 1024);
    streams.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 250);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    // a new partition is assigned soon, as the points of all other partitions are buffered for it
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.METADATA_MAX_AGE_CONFIG), 1_000);
    // small fetches from each partition in turn: in a backlog fewer points are buffered
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), 256 * 1024);
    // large fetches from a changelog: processing starts only when it is read
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        8 * 1024 * 1024);
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    // the next changelogs are asked for when the fetch of those that are read to their end returns
    streams.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 50);
    streams.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topics.MAX_RECORD_BYTES);
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // output is some kB per second for each of many partitions: prefer few large batches
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), lingerMs());
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 * 1024);
    // a request to a broker that neither answers nor closes the connection ends, and is sent to the
    // next leader, while its transaction is still open
    streams.put(StreamsConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    // an overloaded machine must not lose its transaction, and with it its tasks
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 30_000);
    streams.putAll(originalsWithPrefix(STREAMS_PREFIX));
    return streams;
  }

  /**
   * How long the producer fills a batch, ms. With exactly-once nobody reads a record before the
   * commit, which flushes, so that batches may fill until then.
   */
  private long lingerMs() {
    boolean exactlyOnce = StreamsConfig.EXACTLY_ONCE_V2.equals(getString("processing.guarantee"));
    return exactlyOnce ? Math.max(MIN_LINGER_MS, getLong("commit.interval.ms")) : MIN_LINGER_MS;
  }

  /** The same, with the replication factor of internal topics that the cluster allows. */
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
