package dev.rondo.schemas;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * All topics, under their default names; {@link TopicNames} maps them to those of one Rondo. Every
 * topic that Rondo creates uses {@code LogAppendTime}: with event times, retention would delete
 * replayed history before the sink has read it.
 */
public final class Topics {
  /** Largest record of Rondo's topics, bytes; dead letters are cut to fit. */
  public static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

  public static final Serde<Points> POINTS_SERDE = new PointsSerde();

  /** Values of the by-series topic: {@link Points} and {@link SeriesRequest}. */
  public static final Serde<SpecificRecord> BY_SERIES_SERDE = new BySeriesSerde();

  private static final String RETENTION_7_DAYS = Long.toString(Duration.ofDays(7).toMillis());

  /** The default source: any key, any known format. Its owner creates it and sets its retention. */
  public static final Topic<byte[], byte[]> POINTS =
      new Topic<>(
          "points",
          Serdes.ByteArray(),
          Serdes.ByteArray(),
          withAppendTime(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE));

  /**
   * Locations of series. The key is the canonical ident; a tombstone retires the series. Entries
   * are kept as long as rows: a restored database needs them all.
   */
  public static final Topic<String, SeriesEntry> SERIES =
      new Topic<>(
          "rondo.series",
          Serdes.String(),
          AvroSerde.of("SeriesEntry", SeriesEntry.getEncoder(), SeriesEntry::createDecoder),
          withAppendTime(
              CLEANUP_POLICY_CONFIG,
              CLEANUP_POLICY_COMPACT,
              MIN_COMPACTION_LAG_MS_CONFIG,
              RETENTION_7_DAYS));

  /** One slot of many series per record; the sink merges it into the stored row. */
  public static final Topic<BundleRowKey, BundleRow> BUNDLE_ROWS =
      new Topic<>(
          "rondo.bundle-rows",
          AvroSerde.of("BundleRowKey", BundleRowKey.getEncoder(), BundleRowKey::createDecoder),
          AvroSerde.of("BundleRow", BundleRow.getEncoder(), BundleRow::createDecoder),
          withAppendTime(
              CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, RETENTION_MS_CONFIG, RETENTION_7_DAYS));

  /** Records that could not be stored: key and bytes as received, the reason in the headers. */
  public static final Topic<byte[], byte[]> DEAD_LETTERS =
      new Topic<>(
          "rondo.dead-letters",
          Serdes.ByteArray(),
          Serdes.ByteArray(),
          withAppendTime(
              CLEANUP_POLICY_CONFIG,
              CLEANUP_POLICY_DELETE,
              RETENTION_MS_CONFIG,
              RETENTION_7_DAYS,
              MAX_MESSAGE_BYTES_CONFIG,
              Integer.toString(MAX_RECORD_BYTES)));

  /** The last replay of each application; the key is the application.id. */
  public static final Topic<String, Replay> REPLAYS =
      new Topic<>(
          "rondo.replays",
          Serdes.String(),
          AvroSerde.of("Replay", Replay.getEncoder(), Replay::createDecoder),
          withAppendTime(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT));

  /** The versions of the policies of each application; the key is {@code application.id:number}. */
  public static final Topic<String, PolicyVersion> POLICIES =
      new Topic<>(
          "rondo.policies",
          Serdes.String(),
          AvroSerde.of("PolicyVersion", PolicyVersion.getEncoder(), PolicyVersion::createDecoder),
          withAppendTime(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT));

  /** Events of the sources of the format events; the sink stores each once, by its key. */
  public static final Topic<String, Event> EVENTS =
      new Topic<>(
          "rondo.events",
          Serdes.String(),
          AvroSerde.of("Event", Event.getEncoder(), Event::createDecoder),
          withAppendTime(
              CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, RETENTION_MS_CONFIG, RETENTION_7_DAYS));

  /**
   * Requests to delete, rename or create series, as JSON, for thirty days. The key is ignored.
   * Write access to this topic allows deletion.
   */
  public static final Topic<String, String> SERIES_REQUESTS =
      new Topic<>(
          "rondo.series-requests",
          Serdes.String(),
          Serdes.String(),
          withAppendTime(
              CLEANUP_POLICY_CONFIG,
              CLEANUP_POLICY_DELETE,
              RETENTION_MS_CONFIG,
              Long.toString(Duration.ofDays(30).toMillis())));

  /**
   * Number of partitions of a topic when an application first read it, which determines the order
   * of its points; the key is {@code application.id:topic}.
   */
  public static final Topic<String, Integer> PARTITIONS =
      new Topic<>(
          "rondo.partitions",
          Serdes.String(),
          Serdes.Integer(),
          withAppendTime(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT));

  /** The topics that carry the prefix of their Rondo. */
  public static final List<Topic<?, ?>> OWN =
      List.of(
          SERIES,
          BUNDLE_ROWS,
          EVENTS,
          DEAD_LETTERS,
          REPLAYS,
          PARTITIONS,
          POLICIES,
          SERIES_REQUESTS);

  private Topics() {}

  private static Map<String, String> withAppendTime(String... keysAndValues) {
    var configs = new HashMap<String, String>();
    configs.put(MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);
    for (int k = 0; k < keysAndValues.length; k += 2) {
      configs.put(keysAndValues[k], keysAndValues[k + 1]);
    }
    return configs;
  }
}
