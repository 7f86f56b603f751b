package dev.rondo.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.ValidString.in;

import dev.rondo.formats.RecordLimits;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/** Defines the settings: types, defaults, bounds and documentation. */
final class SettingDefinitions {
  /** A segment number, which is not negative, has the partition in its upper 16 bits. */
  private static final int MAX_PARTITIONS = 1 << 15;

  /** Largest width with which the state of a segment with the most archives fits into a record. */
  private static final int MAX_WIDTH = 2_000;

  private static final String EXACTLY_ONCE = StreamsConfig.EXACTLY_ONCE_V2;
  private static final String AT_LEAST_ONCE = StreamsConfig.AT_LEAST_ONCE;
  private static final String SELECTED_METRICS = "selected";
  static final String ALL_METRICS = "all";

  static final ConfigDef ALL =
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
                  + " RONDO_KAFKA_SASL_JAAS_CONFIG overrides the file.")
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
              "Subset of the source topics to read; empty = all.")
          .define(
              "topics.create",
              ConfigDef.Type.BOOLEAN,
              true,
              MEDIUM,
              "Whether missing topics of Rondo are created. With false the topology starts only"
                  + " if all topics exist, the internal ones too, with the settings that Rondo needs;"
                  + " the error lists each difference.")
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
              "exactly_once_v2 or at_least_once; with at_least_once a crash can add increments twice"
                  + " (finest: sum).")
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
              "Whether the passing of time emits slots of silent series and open slots, and retires"
                  + " series. With false each slot is emitted once: by the point that closes"
                  + " it, or at the end of a live replay.")
          .define(
              "max.points.per.second",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              LOW,
              "Maximum number of points that this instance decodes per second; 0 = no limit.")
          .define(
              "max.future.ms",
              ConfigDef.Type.LONG,
              600_000L,
              atLeast(0),
              MEDIUM,
              "How far a point may be ahead of its record's time, ms. A point further ahead becomes a"
                  + " dead letter, as all later points of its series would be late. Each archive of"
                  + " policies.file must have a longer span.")
          .define(
              "max.age.ms",
              ConfigDef.Type.LONG,
              0L,
              atLeast(0),
              MEDIUM,
              "How far a point may be behind its record's time, ms; 0 = as far as the longest archive"
                  + " of its policy reaches. Older points, and all before the year 2000, become"
                  + " dead letters.")
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
              "drops.file",
              ConfigDef.Type.STRING,
              "",
              LOW,
              "File that keeps the number of dropped points by reason over restarts, for a live"
                  + " replay; empty = none.")
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
              "Port of /health, /metrics, /drops and /series; 0 = any free port.")
          .define(
              "metrics.kafka",
              ConfigDef.Type.STRING,
              SELECTED_METRICS,
              in(SELECTED_METRICS, ALL_METRICS),
              LOW,
              "Which metrics of Kafka Streams and its clients /metrics has: selected (what dashboards,"
                  + " alerts and runbooks use, and some more) or all, about ten times as many.");

  static {
    for (Topic<?, ?> topic : Topics.OWN) {
      ALL.define(
          TopicNames.key(topic),
          ConfigDef.Type.STRING,
          "",
          LOW,
          "Name of the topic %s; empty = PREFIX.%s."
              .formatted(topic.name(), TopicNames.suffix(topic)));
    }
  }

  private SettingDefinitions() {}
}
