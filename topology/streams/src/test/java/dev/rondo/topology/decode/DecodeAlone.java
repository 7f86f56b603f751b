package dev.rondo.topology.decode;

import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** A topology of the decode step only, which writes its points to a topic, and its application. */
final class DecodeAlone {
  /** Topic of the points in the topology with the default prefix. */
  static final String POINTS = points(TopicNames.DEFAULT_PREFIX);

  private DecodeAlone() {}

  /** Topic of the points. */
  static String points(String prefix) {
    return prefix + "-decoded";
  }

  /** Reads one topic; the others have the default prefix. */
  static Topology topology(String source, Format format, MeterRegistry registry) {
    return topology(List.of(source), format, registry);
  }

  /** Reads several topics of one format; the others have the default prefix. */
  static Topology topology(List<String> sources, Format format, MeterRegistry registry) {
    return topology(TopicNames.DEFAULT_PREFIX, sources, rules(sources, format), registry);
  }

  private static SourceRules rules(List<String> sources, Format format) {
    DecoderSettings settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    return SourceRules.of(
        sources.stream().map(source -> new Source(source, format, settings, false, "")).toList());
  }

  /**
   * Reads topics as the rules say.
   *
   * @param prefix of the other topics
   */
  static Topology topology(
      String prefix, List<String> sources, SourceRules rules, MeterRegistry registry) {
    Decode decode =
        new Decode(
            new Decode.Settings(
                1,
                new TimeLimits(600_000, Long.MAX_VALUE, () -> new Policies(List.of())),
                rules,
                MergedPartitions.none(),
                false,
                new PointRateLimit(0)),
            new SourceProgress(MemoryBudget.ofHeap(0).merge()),
            MemoryBudget.ofHeap(0).definitions(),
            new DeadLetterRateLimit(1 << 20, registry),
            new Drops(registry, Clock.systemUTC()),
            registry);
    return new Topology()
        .addSource(
            "source",
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            sources.toArray(String[]::new))
        .addProcessor(Decode.NAME, decode, "source")
        .addSink(
            Decode.BY_SERIES_CHILD,
            points(prefix),
            new IntegerSerializer(),
            Topics.POINTS_SERDE.serializer(),
            Decode.NAME)
        .addSink(
            Decode.DEAD_LETTERS_CHILD,
            TopicNames.of(prefix).of(Topics.DEAD_LETTERS).name(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            Decode.NAME)
        .addSink(
            Decode.EVENTS_CHILD,
            TopicNames.of(prefix).of(Topics.EVENTS).name(),
            Topics.EVENTS.keySerde().serializer(),
            Topics.EVENTS.valueSerde().serializer(),
            Decode.NAME);
  }

  /** Runs until it is killed: {@code BOOTSTRAP STATE_DIR PREFIX SOURCE FORMAT}. */
  public static void main(String[] args) throws InterruptedException {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, args[2]);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, args[1]);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), "one");
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
    List<String> sources = List.of(args[3]);
    SourceRules rules = rules(sources, Format.valueOf(args[4]));
    Topology topology = topology(args[2], sources, rules, new SimpleMeterRegistry());
    try (KafkaStreams streams = new KafkaStreams(topology, properties)) {
      streams.start();
      new CountDownLatch(1).await();
    }
  }
}
