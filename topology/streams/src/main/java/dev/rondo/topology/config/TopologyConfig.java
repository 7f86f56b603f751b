package dev.rondo.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.ValidString.in;

import dev.rondo.schemas.Replication;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.settings.Nearest;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * What the topology is told: one properties file. A key that begins with {@code streams.} goes to
 * Kafka Streams as it is, without that prefix; any other unknown key is an error that names its
 * nearest known one.
 */
public final class TopologyConfig extends AbstractConfig {
  public static final String STREAMS_PREFIX = "streams.";

  /** Names in the topology and its changelogs hang on it: fixed for the life of a deployment. */
  private static final int MAX_PARTITIONS = 1 << 15;

  /** With the most archives, the state of a segment of this width still fits into a record. */
  private static final int MAX_WIDTH = 2_000;

  private static final String EXACTLY_ONCE = StreamsConfig.EXACTLY_ONCE_V2;
  private static final String AT_LEAST_ONCE = StreamsConfig.AT_LEAST_ONCE;

  public static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              "bootstrap.servers",
              ConfigDef.Type.LIST,
              HIGH,
              "Kafka brokers to begin with, host:port, separated by commas.")
          .define(
              "application.id",
              ConfigDef.Type.STRING,
              "rondo",
              HIGH,
              "Consumer group, and prefix of the internal topics.")
          .define(
              "instance.id",
              ConfigDef.Type.STRING,
              "1",
              HIGH,
              "Names this instance among those of the application: the same at each start, so that"
                  + " a restarted instance takes up its partitions at once.")
          .define(
              "sources",
              ConfigDef.Type.LIST,
              Topics.POINTS.name(),
              HIGH,
              "Topics to read points from, each topic or topic=format; without one: auto.")
          .define(
              "sources.file",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "YAML file of sources, instead of the list: formats, names, policies, patterns of topics.")
          .define(
              "sources.create",
              ConfigDef.Type.BOOLEAN,
              false,
              LOW,
              "Whether topics that sources name are created where they do not exist, as points always"
                  + " is: for a broker of one's own.")
          .define(
              "policies.file",
              ConfigDef.Type.STRING,
              "",
              HIGH,
              "YAML file of policies; empty = every series at 10s:6h, 1m:7d and 1h:1y.")
          .define(
              "state.dir",
              ConfigDef.Type.STRING,
              HIGH,
              "Folder of this instance's own: its lock and identity. State is in memory and in"
                  + " Kafka.")
          .define(
              "partitions",
              ConfigDef.Type.INT,
              16,
              between(1, MAX_PARTITIONS),
              HIGH,
              "Partitions of the by-series topic and of what is written: the most tasks that can"
                  + " share the work. Fixed for the life of a deployment.")
          .define(
              "partitions.accepted",
              ConfigDef.Type.LIST,
              "",
              LOW,
              "Topics whose number of partitions may differ from what it was: keyed sources, whose"
                  + " series then move, or rondo.* topics.")
          .define(
              "width",
              ConfigDef.Type.INT,
              116,
              between(1, MAX_WIDTH),
              MEDIUM,
              "Positions in a segment: series whose values share a row. For new segments; one that"
                  + " is there keeps its own.")
          .define(
              "threads",
              ConfigDef.Type.INT,
              1,
              between(1, 1024),
              MEDIUM,
              "Threads of this instance; partitions are shared among them.")
          .define(
              "processing.guarantee",
              ConfigDef.Type.STRING,
              EXACTLY_ONCE,
              in(EXACTLY_ONCE, AT_LEAST_ONCE),
              MEDIUM,
              "Whether a crash can count points twice: exactly_once_v2 or at_least_once.")
          .define(
              "standby.replicas",
              ConfigDef.Type.INT,
              0,
              between(0, 8),
              MEDIUM,
              "Instances that keep a copy of another one's state: when an instance is lost, they go"
                  + " on at once where others first read the state from Kafka. 1 where more than one"
                  + " instance runs.")
          .define(
              "commit.interval.ms",
              ConfigDef.Type.LONG,
              1000L,
              between(10, 9_000),
              MEDIUM,
              "Time between commits, ms: rows are visible to the sink after a commit.")
          .define(
              "merge.sources",
              ConfigDef.Type.BOOLEAN,
              true,
              MEDIUM,
              "Whether points of one series may come from several source partitions: records without"
                  + " a key, or with a random one. Points then wait until all source partitions are"
                  + " decoded up to where they are, a second or so. false where keys are series or"
                  + " hosts.")
          .define(
              "merge.max.wait.ms",
              ConfigDef.Type.LONG,
              120_000L,
              between(1000, 3_600_000),
              LOW,
              "How long points wait for a source partition that does not advance while others do, ms:"
                  + " longer than the partitions of a lost instance need to move.")
          .define(
              "row.linger.ms",
              ConfigDef.Type.LONG,
              5000L,
              atLeast(0),
              MEDIUM,
              "Longest wait of a row for the values of its other series, ms; never more than half"
                  + " its step.")
          .define(
              "refresh.ms",
              ConfigDef.Type.LONG,
              60_000L,
              atLeast(1000),
              LOW,
              "How often the open slot of an archive with a longer step is shown, ms.")
          .define(
              "max.future.ms",
              ConfigDef.Type.LONG,
              600_000L,
              atLeast(0),
              MEDIUM,
              "How far ahead of the writing of its record a point may be, ms: one further ahead would"
                  + " block its series and is a dead letter.")
          .define(
              "max.series",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              MEDIUM,
              "Most series of this instance, whatever its policies allow; 0 = as many as half of its"
                  + " heap holds.")
          .define(
              "new.series.max.per.second",
              ConfigDef.Type.LONG,
              2_000L,
              atLeast(1),
              MEDIUM,
              "How many new series the application takes a second of the points' time, once the burst"
                  + " is spent; shared evenly among the partitions.")
          .define(
              "new.series.burst",
              ConfigDef.Type.LONG,
              500_000L,
              atLeast(1),
              MEDIUM,
              "How many new series the application takes at once; shared evenly among the partitions.")
          .define(
              "dead.letters.max.bytes.per.second",
              ConfigDef.Type.LONG,
              1_048_576L,
              atLeast(0),
              MEDIUM,
              "How many bytes of dead letters this instance writes a second, after a minute's worth at"
                  + " once; what goes beyond is only counted.")
          .define(
              "ident.max.bytes",
              ConfigDef.Type.INT,
              1024,
              between(1, 2000),
              LOW,
              "Longest name with tags, bytes; a longer one is a dead letter.")
          .define(
              "ident.max.tags",
              ConfigDef.Type.INT,
              64,
              between(0, 1000),
              LOW,
              "Most tags of a series; a point with more is a dead letter.")
          .define(
              "format.version",
              ConfigDef.Type.INT,
              FormatVersion.PREVIOUS.number(),
              between(1, FormatVersion.NEWEST.number()),
              LOW,
              "Format that state is written in; all are read. By default that of the release before,"
                  + " so that one instance after the other can be replaced, and put back.")
          .define(
              "http.host",
              ConfigDef.Type.STRING,
              "127.0.0.1",
              MEDIUM,
              "Address of /health, /metrics and /drops.")
          .define(
              "http.port",
              ConfigDef.Type.INT,
              8889,
              between(0, 65_535),
              MEDIUM,
              "Port of /health, /metrics and /drops; 0 = any free one.");

  private TopologyConfig(Map<?, ?> values) {
    super(DEFINITION, values, false);
  }

  /** Checks keys and values; what is wrong is a {@link ConfigException} that names the key. */
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
      throw new ConfigException(
          "sources are given twice, as a list and as a file: use one of sources and sources.file");
    }
    return config;
  }

  /** Reads and checks a properties file, as {@link #of}. */
  public static TopologyConfig read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return of(properties);
  }

  /** Those of {@code policies.file}, or the default ones. */
  public Policies policies() {
    String file = getString("policies.file");
    return file.isEmpty()
        ? PoliciesFile.parse(Policies.DEFAULT_YAML)
        : PoliciesFile.read(Path.of(file));
  }

  /** Which topics are read, and how: those of {@code sources.file} or {@code sources}. */
  public SourceRules sourceRules() {
    SourcesFile reader = new SourcesFile(sourceDefaults());
    String file = getString("sources.file");
    return file.isEmpty() ? reader.of(getList("sources")) : reader.read(Path.of(file));
  }

  /** What all sources share. */
  public SourceDefaults sourceDefaults() {
    return new SourceDefaults(
        getString("application.id"),
        getInt("ident.max.bytes"),
        getInt("ident.max.tags"),
        policies());
  }

  /**
   * What points are read from: the topics that are named, and those that patterns cover now.
   *
   * @throws IllegalStateException where a pattern covers none
   */
  public List<Source> sources(Admin admin) throws ExecutionException, InterruptedException {
    return sourceRules().among(admin.listTopics().names().get());
  }

  /** Names this instance among all of the cluster, the same at each start. */
  public String instance() {
    return getString("application.id") + "-" + getString("instance.id");
  }

  /** The properties of the client that makes our topics: those of the streams that concern it. */
  public Map<String, Object> admin() {
    return new StreamsConfig(streams()).getAdminConfigs(getString("application.id") + "-topics");
  }

  /** The properties of a consumer outside any group, for reading partitions of one's choice. */
  public Map<String, Object> reader() {
    return new StreamsConfig(streams())
        .getRestoreConsumerConfigs(getString("application.id") + "-reader");
  }

  /** The properties of a producer outside any transaction; it waits for all replicas. */
  public Map<String, Object> writer() {
    return new StreamsConfig(streams()).getProducerConfigs(getString("application.id") + "-writer");
  }

  /** How long a member that ended without a word stays in the consumer group. */
  public Duration sessionTimeout() {
    return Duration.ofMillis(
        Integer.parseInt(
            new StreamsConfig(streams())
                .getMainConsumerConfigs(getString("application.id"), "reader", 0)
                .get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG)
                .toString()));
  }

  /** The properties of Kafka Streams; {@code streams.*} keys win. */
  public Properties streams() {
    Properties streams = new Properties();
    streams.put(StreamsConfig.APPLICATION_ID_CONFIG, getString("application.id"));
    streams.put(
        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, String.join(",", getList("bootstrap.servers")));
    streams.put(StreamsConfig.STATE_DIR_CONFIG, getString("state.dir"));
    streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, getInt("threads"));
    streams.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, getString("processing.guarantee"));
    streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, getInt("standby.replicas"));
    streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, getLong("commit.interval.ms"));
    // state is read in seconds: an instance that is back gets its share at the next look, not two
    // tasks each ten minutes
    streams.put(StreamsConfig.MAX_WARMUP_REPLICAS_CONFIG, getInt("partitions"));
    streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
    streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
        getString("instance.id"));
    // what waits for whom is the merge's business; Streams would look, and word it, at each record
    streams.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    streams.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    // a few larger fetches instead of many small ones
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), 64 * 1024);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 50);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    // a partition that is made is assigned soon, as what the others bring waits for it
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.METADATA_MAX_AGE_CONFIG), 1_000);
    // small pieces of a backlog in turn from each partition: less of it waits for the others
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), 256 * 1024);
    // of a changelog as much at a time as there is: it is read before anything else goes on
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        8 * 1024 * 1024);
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    streams.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topics.MAX_RECORD_BYTES);
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // what goes out is kilobytes a second for each of many partitions: few batches, not many small
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 100);
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 * 1024);
    // a machine without a processor to spare must not lose its transaction, and its tasks with it
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 30_000);
    streams.putAll(originalsWithPrefix(STREAMS_PREFIX));
    return streams;
  }

  /** The same, where its internal topics are kept as often as the cluster can. */
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
