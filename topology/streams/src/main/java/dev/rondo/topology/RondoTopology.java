package dev.rondo.topology;

import dev.rondo.schemas.Points;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.consolidate.SeriesLocations;
import dev.rondo.topology.decode.DeadLetterRateLimit;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.RondoTopics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * The way of a point, joined:
 *
 * <pre>
 *         sources → decode → by-series → consolidate → bundle-rows
 *                     └→ dead-letters     ↑    └→ series
 *   keyed-sources → decode-keyed ─────────┘
 *                     └→ dead-letters
 * </pre>
 */
public final class RondoTopology {
  private final TopologyConfig config;
  private final Policies policies;
  private final SourceRules rules;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final int replayEpoch;
  private final SeriesLocations places;
  private final MemoryBudget memory;
  private final Drops drops;
  private final MeterRegistry registry;
  private final DeadLetterRateLimit letters;
  private final StreamsBuilder builder = new StreamsBuilder();

  private RondoTopology(
      TopologyConfig config,
      Policies policies,
      SourceRules rules,
      MergedPartitions merged,
      SourceProgress progress,
      int replayEpoch,
      SeriesLocations places,
      MemoryBudget memory,
      Drops drops,
      MeterRegistry registry) {
    this.memory = memory;
    this.letters =
        new DeadLetterRateLimit(config.getLong("dead.letters.max.bytes.per.second"), registry);
    this.config = config;
    this.policies = policies;
    this.rules = rules;
    this.merged = merged;
    this.progress = progress;
    this.replayEpoch = replayEpoch;
    this.places = places;
    this.drops = drops;
    this.registry = registry;
  }

  /**
   * Builds the topology; every node, store and topic is named by us.
   *
   * @param rules what points are read from
   * @param merged the source partitions whose points wait for each other
   * @param progress how far this instance has read them
   * @param replayEpoch counts the replays; state of before the last one is rewound
   * @param places where the series of all instances live
   * @param memory what the tasks of this instance may hold
   */
  public static Topology build(
      TopologyConfig config,
      Policies policies,
      SourceRules rules,
      MergedPartitions merged,
      SourceProgress progress,
      int replayEpoch,
      SeriesLocations places,
      MemoryBudget memory,
      Drops drops,
      MeterRegistry registry) {
    return new RondoTopology(
            config, policies, rules, merged, progress, replayEpoch, places, memory, drops, registry)
        .build();
  }

  /** Those whose points may have to wait for each other: also one alone, as it may grow. */
  static MergedPartitions merged(TopologyConfig config, SourceRules rules) {
    return config.getBoolean("merge.sources") && rules.haveKeyed(false)
        ? MergedPartitions.of(topic -> rules.of(topic).filter(s -> !s.isKeyed()).isPresent())
        : MergedPartitions.none();
  }

  private Topology build() {
    KStream<Integer, Points> points = rules.haveKeyed(false) ? bySeries() : leftBySeries();
    if (rules.haveKeyed(true)) {
      points = points.merge(decodedKeyed(), Named.as(Decode.KEYED_POINTS_CHILD));
    }
    points.process(consolidate(), Named.as(Consolidate.NAME));

    Topology topology = builder.build();
    if (rules.haveKeyed(false)) {
      addSink(topology, Decode.DEAD_LETTERS_CHILD, Topics.DEAD_LETTERS, null, Decode.NAME);
    }
    if (rules.haveKeyed(true)) {
      // a node of its own: one that both had would make one sub-topology of them
      addSink(topology, Decode.KEYED_DEAD_LETTERS_CHILD, Topics.DEAD_LETTERS, null, Decode.KEYED);
    }
    // one partition holds all rows that a task writes, in order
    addSink(
        topology,
        Consolidate.BUNDLE_ROWS_CHILD,
        Topics.BUNDLE_ROWS,
        new PinnedPartitioner<>((key, row, count) -> SegmentNumber.partition(row.getSeg()) % count),
        Consolidate.NAME);
    // by Kafka's hash of the ident: the places and the tombstones of a series keep their order
    addSink(
        topology,
        Consolidate.SERIES_CHILD,
        Topics.SERIES,
        new PinnedPartitioner<>(
            (ident, entry, count) ->
                Utils.toPositive(Utils.murmur2(ident.getBytes(StandardCharsets.UTF_8))) % count),
        Consolidate.NAME);
    return topology;
  }

  private KStream<Integer, Points> bySeries() {
    return points(decoded("sources", Decode.NAME, merged, false))
        .repartition(
            Repartitioned.<Integer, Points>as(Decode.BY_SERIES)
                .withKeySerde(Serdes.Integer())
                .withValueSerde(Topics.POINTS_SERDE)
                .withNumberOfPartitions(config.getInt("partitions"))
                .withStreamPartitioner((topic, key, value, count) -> only(key)));
  }

  /** Where all sources are keyed now: what others brought before. */
  private KStream<Integer, Points> leftBySeries() {
    return builder.stream(
        RondoTopics.bySeries(config.getString("application.id")),
        Consumed.with(Serdes.Integer(), Topics.POINTS_SERDE).withName("left-by-series"));
  }

  private KStream<Integer, Points> decodedKeyed() {
    return points(decoded("keyed-sources", Decode.KEYED, MergedPartitions.none(), true));
  }

  private KStream<Object, Object> decoded(
      String sourceName, String name, MergedPartitions merged, boolean keyed) {
    Decode.Settings settings =
        new Decode.Settings(
            config.getInt("partitions"), config.getLong("max.future.ms"), rules, merged, keyed);
    Consumed<byte[], byte[]> consumed =
        Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
            .withName(sourceName)
            .withTimestampExtractor(new RecordTime());
    KStream<byte[], byte[]> records =
        rules.hasPatterns(keyed)
            ? builder.stream(rules.pattern(keyed), consumed)
            : builder.stream(rules.named(keyed), consumed);
    return records.process(
        new Decode(settings, progress, memory.definitions(), letters, drops, registry),
        Named.as(name));
  }

  private Consolidate consolidate() {
    return new Consolidate(
        new Consolidate.Settings(
            policies,
            config.getInt("partitions"),
            config.getInt("width"),
            config.getLong("row.linger.ms"),
            config.getLong("refresh.ms"),
            merged,
            config.getLong("merge.max.wait.ms"),
            progress::ends,
            replayEpoch,
            config.getLong("new.series.max.per.second"),
            config.getLong("new.series.burst"),
            FormatVersion.of(config.getInt("format.version"))),
        places,
        drops,
        memory,
        registry);
  }

  /** The step decode forwards only points to its child by-series, dead letters to the other. */
  @SuppressWarnings("unchecked")
  private static KStream<Integer, Points> points(KStream<?, ?> decoded) {
    return (KStream<Integer, Points>) decoded;
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

  private static Optional<Set<Integer>> only(int partition) {
    return Optional.of(Set.of(partition));
  }
}
