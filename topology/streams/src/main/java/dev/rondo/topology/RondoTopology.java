package dev.rondo.topology;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.decode.DeadLetterRateLimit;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.decode.PointRateLimit;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.decode.SeriesPartition;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.requests.RouteRequests;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.RondoTopics;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Connects the steps of the topology:
 *
 * <pre>
 *         sources → decode → by-series → consolidate → bundle-rows
 *                     ├→ dead-letters     ↑    └→ series
 *                     └→ events           │
 *   keyed-sources → decode-keyed ─────────┘
 *                     └→ dead-letters
 *   series-requests → route-requests → by-series, all partitions or that of a new series
 * </pre>
 */
public final class RondoTopology {
  private final TopologyConfig config;
  private final TopologyDefinition settings;
  private final SourceRules rules;
  private final SharedState shared;
  private final DeadLetterRateLimit deadLetters;
  private final PointRateLimit rate;
  private final StreamsBuilder builder = new StreamsBuilder();

  private RondoTopology(TopologyDefinition settings, SharedState shared) {
    this.config = settings.config();
    this.settings = settings;
    this.rules = settings.rules();
    this.shared = shared;
    this.deadLetters =
        new DeadLetterRateLimit(
            config.getLong("dead.letters.max.bytes.per.second"), shared.registry());
    this.rate = new PointRateLimit(config.getLong("max.points.per.second"));
  }

  /** Builds the topology. Every node, store and topic has an explicit name. */
  public static Topology build(TopologyDefinition settings, SharedState shared) {
    return new RondoTopology(settings, shared).build();
  }

  /** Returns the partitions to merge, even if there is only one, as the source may grow. */
  static MergedPartitions merged(TopologyConfig config, SourceRules rules) {
    return config.getBoolean("merge.sources") && rules.haveKeyed(false)
        ? MergedPartitions.of(topic -> rules.of(topic).filter(s -> !s.isKeyed()).isPresent())
        : MergedPartitions.none();
  }

  private Topology build() {
    KStream<Integer, SpecificRecord> points =
        rules.haveKeyed(false) ? bySeries() : remainingBySeries();
    if (rules.haveKeyed(true)) {
      points = points.merge(decodedKeyed(), Named.as(Decode.KEYED_POINTS_CHILD));
    }
    points.process(consolidate(), Named.as(Consolidate.NAME));

    builder.stream(
            config.topic(Topics.SERIES_REQUESTS).name(),
            Consumed.with(Topics.SERIES_REQUESTS.keySerde(), Topics.SERIES_REQUESTS.valueSerde())
                .withName("series-requests")
                .withTimestampExtractor(new RecordTime()))
        .process(
            () -> new RouteRequests(config.naming(), config.getInt("partitions")),
            Named.as(RouteRequests.NAME));

    Topology topology = builder.build();
    topology.addSink(
        RouteRequests.BY_SERIES_CHILD,
        RondoTopics.bySeries(config.getString("application.id")),
        Serdes.Integer().serializer(),
        Topics.BY_SERIES_SERDE.serializer(),
        RouteRequests.partitioner(),
        RouteRequests.NAME);
    if (rules.haveKeyed(false)) {
      addSink(
          topology,
          Decode.DEAD_LETTERS_CHILD,
          config.topic(Topics.DEAD_LETTERS),
          null,
          Decode.NAME);
    }
    if (rules.haveEvents()) {
      addSink(topology, Decode.EVENTS_CHILD, config.topic(Topics.EVENTS), null, Decode.NAME);
    }
    if (rules.haveKeyed(true)) {
      // a separate node: a shared one would join both into one sub-topology
      addSink(
          topology,
          Decode.KEYED_DEAD_LETTERS_CHILD,
          config.topic(Topics.DEAD_LETTERS),
          null,
          Decode.KEYED);
    }
    // all rows of a task go to one partition, in order
    addSink(
        topology,
        Consolidate.BUNDLE_ROWS_CHILD,
        config.topic(Topics.BUNDLE_ROWS),
        new PinnedPartitioner<>((key, row, count) -> SegmentNumber.partition(row.getSeg()) % count),
        Consolidate.NAME);
    // by Kafka's hash of the ident: the locations and tombstones of a series stay in order
    addSink(
        topology,
        Consolidate.SERIES_CHILD,
        config.topic(Topics.SERIES),
        new PinnedPartitioner<>((ident, entry, count) -> SeriesPartition.of(ident, count)),
        Consolidate.NAME);
    return topology;
  }

  @SuppressWarnings("removal") // in Kafka 4.4 still the only abstract method
  private KStream<Integer, SpecificRecord> bySeries() {
    return points(decoded("sources", Decode.NAME, shared.merged(), false))
        .repartition(
            Repartitioned.<Integer, SpecificRecord>as(Decode.BY_SERIES)
                .withKeySerde(Serdes.Integer())
                .withValueSerde(Topics.BY_SERIES_SERDE)
                .withNumberOfPartitions(config.getInt("partitions"))
                .withStreamPartitioner((topic, key, value, count) -> Optional.of(Set.of(key))));
  }

  /** Reads the remaining records of sources that were not keyed, if all now are. */
  private KStream<Integer, SpecificRecord> remainingBySeries() {
    return builder.stream(
        RondoTopics.bySeries(config.getString("application.id")),
        Consumed.with(Serdes.Integer(), Topics.BY_SERIES_SERDE).withName("remaining-by-series"));
  }

  private KStream<Integer, SpecificRecord> decodedKeyed() {
    return points(decoded("keyed-sources", Decode.KEYED, MergedPartitions.none(), true));
  }

  private KStream<Object, Object> decoded(
      String sourceName, String name, MergedPartitions merged, boolean keyed) {
    Decode.Settings decode =
        new Decode.Settings(
            config.getInt("partitions"),
            TimeLimits.of(config, () -> settings.policies().latest().policies()),
            rules,
            merged,
            keyed,
            rate);
    Consumed<byte[], byte[]> consumed =
        Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
            .withName(sourceName)
            .withTimestampExtractor(new RecordTime());
    KStream<byte[], byte[]> records =
        builder.stream(rules.pattern(keyed), consumed); // consumers omit set-aside sources
    return records.process(
        new Decode(
            decode,
            shared.progress(),
            shared.memory().definitions(),
            deadLetters,
            shared.drops(),
            shared.registry()),
        Named.as(name));
  }

  private Consolidate consolidate() {
    return new Consolidate(
        new Consolidate.Settings(
            settings.policies(),
            config.getInt("partitions"),
            config.getInt("width"),
            config.getLong("row.linger.ms"),
            config.getLong("refresh.ms"),
            config.getBoolean("emit.by.time"),
            shared.merged(),
            config.getLong("merge.max.wait.ms"),
            shared.progress(),
            settings.replayEpoch(),
            config.getLong("max.future.ms"),
            config.getLong("new.series.max.per.second"),
            config.getLong("new.series.burst"),
            FormatVersion.of(config.getInt("format.version"))),
        shared.locations(),
        shared.drops(),
        shared.memory(),
        shared.inquiry(),
        shared.registry());
  }

  /** Casts the output of decode, which forwards only points to by-series. */
  @SuppressWarnings("unchecked")
  private static KStream<Integer, SpecificRecord> points(KStream<?, ?> decoded) {
    return (KStream<Integer, SpecificRecord>) decoded;
  }

  private static <K, V> void addSink(
      Topology topology,
      String name,
      Topic<K, V> topic,
      StreamPartitioner<K, V> partitioner,
      String parent) {
    topology.addSink(
        name,
        topic.name(),
        topic.keySerde().serializer(),
        topic.valueSerde().serializer(),
        partitioner,
        parent);
  }
}
