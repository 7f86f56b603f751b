package dev.rondo.tools.check.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProposerTest {
  /** 2026-03-01T12:00:00Z. */
  private static final long NOON_S = 1_772_366_400;

  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
  private int partitions = 4;
  private double perSecond = 10;
  private Proposer proposer = proposer();

  private void add(int partition, String key, String value) {
    records.add(
        new ConsumerRecord<>(
            "metrics",
            partition,
            records.size(),
            NOON_S * 1000,
            TimestampType.LOG_APPEND_TIME,
            0,
            value.length(),
            key == null ? null : key.getBytes(UTF_8),
            value.getBytes(UTF_8),
            new RecordHeaders(),
            Optional.empty()));
  }

  private TopicProposal proposal() {
    List<PartitionEnds> ends =
        IntStream.range(0, partitions)
            .mapToObj(
                n ->
                    new PartitionEnds(
                        new TopicPartition("metrics", n), 0, 100, perSecond / partitions))
            .toList();
    return proposer.of(new ClusterSample.Sample("metrics", ends, records, true, true));
  }

  private static Proposer proposer() {
    return proposer(Optional.empty());
  }

  private static Proposer proposer(Optional<String> registry) {
    var properties = new Properties();
    properties.setProperty("bootstrap.servers", "nowhere:1");
    properties.setProperty("state.dir", "state");
    return new Proposer(
        TopologyConfig.of(properties),
        registry,
        Clock.fixed(Instant.ofEpochSecond(NOON_S), ZoneOffset.UTC));
  }

  /** Two records of each of two hosts, keyed by host. */
  private void keyed() {
    for (long n = 0; n < 2; n++) {
      add(0, "a", "cpu;host=a 1 " + (NOON_S - 20 + 10 * n));
      add(1, "b", "cpu;host=b 1 " + (NOON_S - 20 + 10 * n));
    }
  }

  @Test
  void shouldProposeAKeyedSource() {
    keyed();
    TopicProposal proposal = proposal();
    assertThat(proposal.refusal()).isEmpty();
    assertThat(proposal.settings()).containsEntry("format", "graphite");
    assertThat(proposal.keyed()).isEqualTo(new KeyedProposal(true, "the key equals tag host"));
    assertThat(proposal.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
    assertThat(proposal.pointsPerSecond()).isEqualTo(10);
  }

  @Test
  void shouldEstimateTheSeriesByTheirInterval() {
    keyed(); // a point every 10 s, 10 points/s
    assertThat(proposal().series()).isEqualTo(new SeriesEstimate(100, false));
    keyed(); // each of two series four times: there are no others
    assertThat(proposal().series()).isEqualTo(new SeriesEstimate(2, false));
    records.subList(1, records.size()).clear();
    assertThat(proposal().series()).isEqualTo(new SeriesEstimate(1, true));
  }

  @Test
  void shouldTellWhatASourceCosts() {
    keyed();
    TopicProposal ten = proposal();
    assertThat(ten.cost().cores()).isPositive();
    assertThat(ten.cost().diskBytes()).isBetween(1e6, 1e8); // 100 series in the default archives
    perSecond = 1000;
    assertThat(proposal().cost().cores()).isGreaterThan(50 * ten.cost().cores());
  }

  @Test
  void shouldNotBeKeyedWithoutEvidence() {
    add(0, "a", "cpu;host=a 1 " + NOON_S);
    assertThat(why()).isEqualTo("unknown: only 0 of 1 series are in two records (--records)");
    add(0, "b", "cpu;host=a 1 " + NOON_S);
    assertThat(why()).isEqualTo("a series has several keys");
    add(1, "a", "cpu;host=a 1 " + NOON_S);
    assertThat(why()).isEqualTo("series 'cpu;host=a' and 0 others are in several partitions");
    add(1, null, "cpu;host=a 1 " + NOON_S);
    assertThat(why()).isEqualTo("1 of 4 records have no key");
    partitions = 17;
    assertThat(why()).isEqualTo("17 partitions, more than partitions=16");
    partitions = 1;
    assertThat(proposal().keyed().isKeyed()).isTrue();
  }

  private String why() {
    KeyedProposal keyed = proposal().keyed();
    assertThat(keyed.isKeyed()).isFalse();
    return keyed.why();
  }

  @ParameterizedTest
  @CsvSource({"1772366400000, ms", "1772366400000000, us", "1772366400000000000, ns"})
  void shouldFindTheUnitOfTimes(String time, String unit) {
    add(0, null, "cpu 1 " + time);
    assertThat(proposal().settings()).containsEntry("time.unit", unit);
  }

  @Test
  void shouldNotProposeTheUsualUnit() {
    add(0, null, "cpu 1 " + NOON_S);
    add(0, null, "m,host=a value=1 " + NOON_S + "000000000");
    TopicProposal proposal = proposal();
    assertThat(proposal.settings())
        .containsOnly(entry("topic", "metrics"), entry("format", "auto"));
    assertThat(proposal.refusal()).isEmpty();
  }

  @Test
  void shouldNotProposeTopicsWithoutPoints() {
    assertThat(kind()).isEqualTo(Kind.EMPTY);
    add(0, null, "{\"order\": 17, \"customer\": \"x\"}");
    add(0, null, "2026-03-01 12:00:00 INFO started");
    assertThat(kind()).isEqualTo(Kind.NO_POINTS);
    add(0, null, "cpu 1 " + NOON_S);
    assertThat(kind()).isEqualTo(Kind.NO_POINTS); // most is unreadable
  }

  @Test
  void shouldProposeFramedTopicsWithTheirRegistry() {
    add(0, "a", "\0\0\0\0\7\4");
    add(0, "a", "\0\0\0\0\7\6");
    assertThat(kind()).isEqualTo(Kind.FRAMED);
    try (var registry = RegistryServer.start(0)) {
      proposer = proposer(Optional.of(registry.url()));
      assertThat(proposal().refusal().orElseThrow().detail())
          .startsWith("topic 'metrics' partition 0 offset 1: schema 7: ");
      String schema =
          "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"load\",\"type\":\"int\"}]}";
      registry.put("/schemas/ids/7", "AVRO", schema);
      proposer = proposer(Optional.of(registry.url()));
      TopicProposal proposal = proposal();
      assertThat(proposal.settings())
          .containsEntry("format", "avro")
          .containsEntry("registry", registry.url())
          .containsEntry("mapping", Map.of("name", "metrics", "values", List.of("load")));
      assertThat(proposal.idents()).containsExactly("metrics.load");
    }
  }

  private Kind kind() {
    return proposal().refusal().orElseThrow().kind();
  }
}
