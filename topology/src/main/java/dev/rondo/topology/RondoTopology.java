package dev.rondo.topology;

import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.source.Source;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
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
 *   sources → decode → by-series → consolidate → bundle-rows
 *               └→ dead-letters          └→ series
 * </pre>
 */
public final class RondoTopology {
  private RondoTopology() {}

  /**
   * Builds the topology; every node, store and topic is named by us.
   *
   * @param sources what points are read from
   * @param sourcePartitions those of the source topics
   * @param progress how far this instance has read them
   * @param replayEpoch counts the replays; state of before the last one is rewound
   */
  public static Topology build(
      TopologyConfig config,
      Policies policies,
      List<Source> sources,
      Set<TopicPartition> sourcePartitions,
      SourceProgress progress,
      int replayEpoch,
      Drops drops,
      MeterRegistry registry) {
    int partitions = config.getInt("partitions");
    boolean merges = merges(config, sourcePartitions);
    Decode decode =
        new Decode(
            new Decode.Settings(partitions, config.getLong("max.future.ms"), sources, merges),
            progress,
            drops,
            registry);
    Consolidate consolidate =
        new Consolidate(
            new Consolidate.Settings(
                policies,
                partitions,
                config.getInt("width"),
                config.getLong("row.linger.ms"),
                config.getLong("refresh.ms"),
                merges ? sourcePartitions : Set.of(),
                config.getLong("merge.max.wait.ms"),
                replayEpoch),
            drops,
            registry);

    StreamsBuilder builder = new StreamsBuilder();
    KStream<Object, Object> decoded =
        builder.stream(
                sources.stream().map(Source::topic).toList(),
                Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
                    .withName("sources")
                    .withTimestampExtractor(new RecordTime()))
            .process(decode, Named.as(Decode.NAME));
    points(decoded)
        .repartition(
            Repartitioned.<Integer, Points>as(Decode.BY_SERIES)
                .withKeySerde(Serdes.Integer())
                .withValueSerde(Topics.POINTS_SERDE)
                .withNumberOfPartitions(partitions)
                .withStreamPartitioner((topic, key, value, count) -> only(key)))
        .process(consolidate, Named.as(Consolidate.NAME));

    Topology topology = builder.build();
    addSink(topology, Decode.DEAD_LETTERS_CHILD, Topics.DEAD_LETTERS, null, Decode.NAME);
    // one partition holds all rows that a task writes, in order
    addSink(
        topology,
        Consolidate.BUNDLE_ROWS_CHILD,
        Topics.BUNDLE_ROWS,
        (topic, key, row, count) -> only((row.getSeg() >>> 16) % count),
        Consolidate.NAME);
    // by Kafka's hash of the ident, as the task is: a task's places and tombstones keep their order
    addSink(topology, Consolidate.SERIES_CHILD, Topics.SERIES, null, Consolidate.NAME);
    return topology;
  }

  /** Whether points may have to wait for those of other source partitions. */
  static boolean merges(TopologyConfig config, Set<TopicPartition> sources) {
    return config.getBoolean("merge.sources") && sources.size() > 1;
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
