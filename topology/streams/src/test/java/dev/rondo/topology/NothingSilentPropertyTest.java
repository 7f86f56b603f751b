package dev.rondo.topology;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.consolidate.SeriesLocations;
import dev.rondo.topology.drops.Drop;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.PolicyVersions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;

/** For any bytes nothing is thrown, and each point is stored or counted under a reason. */
class NothingSilentPropertyTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final long T = NOW.getEpochSecond() - 600;
  private static final String POLICIES =
      """
      policies:
        - {name: reordered, match: '^w', step: 10s, reorder: 20s, archives: ["10s:1h"]}
        - {name: whisper, match: '^g', step: 10s, heartbeat: 0, archives: ["10s:1h", "1m:1d"]}
        - {name: few, match: '^f', step: 10s, max.series: 1, archives: ["10s:1h"]}
        - {name: rest, match: '^[a-e]', step: 10s, archives: ["10s:1h", "1m:1d"]}
      """;

  private SimpleMeterRegistry registry;
  private Drops drops;
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> points;

  @BeforeTry
  void start() {
    registry = new SimpleMeterRegistry();
    drops = new Drops(registry, Clock.fixed(NOW, ZoneOffset.UTC));
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "nowhere:1");
    properties.put("state.dir", Path.of("target", "nothing-silent").toString());
    properties.put("partitions", "1");
    properties.put("ident.max.bytes", "40");
    TopologyConfig config = TopologyConfig.of(properties);
    driver =
        new TopologyTestDriver(
            RondoTopology.build(
                new TopologyDefinition(
                    config, PolicyVersions.of(POLICIES), config.sourceRules(), 0),
                new SharedState(
                    MergedPartitions.none(),
                    new SourceProgress(MemoryBudget.ofHeap(0).merge()),
                    SeriesLocations.NONE,
                    MemoryBudget.ofHeap(0),
                    drops,
                    new SeriesInquiry(),
                    registry)),
            config.streams(),
            NOW);
    points =
        driver.createInputTopic("points", new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterTry
  void stop() {
    driver.close();
  }

  /** Advances the clock in steps, without a jump. */
  private void passFiveMinutes() {
    for (int n = 0; n < 60; n++) {
      driver.advanceWallClockTime(Duration.ofSeconds(5));
    }
  }

  @Property(tries = 200)
  void shouldAccountForEveryLine(@ForAll("records") List<byte[]> records) {
    long lines = 0;
    for (byte[] record : records) {
      points.pipeInput(null, record, NOW);
      lines += linesOf(record);
    }
    passFiveMinutes(); // releases the points in reorder windows
    assertThat(stored() + dropped()).isEqualTo(lines);
    for (DropReason reason : DropReason.values()) {
      assertThat(drops.newestFirst(reason).isEmpty()).isEqualTo(drops.total(reason) == 0);
    }
  }

  @Example
  void shouldShowLatePointsWithTheirSeries() {
    send("a;host=x 1 " + T, "a;host=x 1 " + (T + 20), "b 1 " + (T + 20));
    send("a;host=x 2 " + (T + 5), "b 2 " + (T + 20), "w 1 " + (T + 50), "w 1 " + (T + 10));
    send("zz 1 " + T, "f1 1 " + T, "f2 1 " + T, "a nan " + T, "a 1 9999999999", "half");
    passFiveMinutes();

    assertThat(only(DropReason.LATE).ident()).isEqualTo("a;host=x");
    assertThat(only(DropReason.LATE).tMs()).hasValue((T + 5) * 1000);
    assertThat(only(DropReason.LATE).previousMs()).hasValue((T + 20) * 1000);
    assertThat(only(DropReason.DUPLICATE_TIME).ident()).isEqualTo("b");
    assertThat(only(DropReason.DUPLICATE_TIME).previousMs()).hasValue((T + 20) * 1000);
    assertThat(only(DropReason.NO_POLICY).ident()).isEqualTo("zz");
    assertThat(only(DropReason.TOO_MANY_SERIES).ident()).isEqualTo("f2");
    assertThat(only(DropReason.NOT_A_NUMBER).ident()).isEqualTo("a");
    assertThat(only(DropReason.NOT_A_NUMBER).record().offset()).isEqualTo(2);
    assertThat(only(DropReason.TOO_FAR_IN_THE_FUTURE).detail()).contains("max.future.ms");
    assertThat(only(DropReason.TOO_FAR_IN_THE_FUTURE).tMs()).hasValue(9_999_999_999_000L);
    assertThat(only(DropReason.UNREADABLE).detail()).contains("'half'");
    assertThat(only(DropReason.UNREADABLE).record().topic()).isEqualTo("points");
  }

  @Example
  void shouldMarkRowsOfWhisperMode() {
    TestOutputTopic<byte[], BundleRow> rows =
        driver.createOutputTopic(
            "rondo.bundle-rows",
            new ByteArrayDeserializer(),
            Topics.BUNDLE_ROWS.valueSerde().deserializer());
    send("a 1 " + T, "a 1 " + (T + 10), "g 1 " + (T + 3), "g 1 " + (T + 10));
    passFiveMinutes();
    var modes =
        rows.readValuesToList().stream()
            .filter(row -> row.getStepMs() == 10_000)
            .map(row -> row.getPolicy() + " " + row.getWhisper() + " " + (row.getT() / 1000 - T))
            .distinct();
    assertThat(modes)
        .containsExactlyInAnyOrder("rest false 10", "whisper true 10", "whisper true 20");
  }

  private Drop only(DropReason reason) {
    assertThat(drops.newestFirst(reason)).hasSize(1);
    return drops.newestFirst(reason).get(0).last();
  }

  private void send(String... lines) {
    points.pipeInput(null, String.join("\n", lines).getBytes(UTF_8), NOW);
  }

  private long stored() {
    return (long) registry.get("rondo.consolidate.points").counter().count();
  }

  private long dropped() {
    return Stream.of(DropReason.values()).mapToLong(drops::total).sum();
  }

  /**
   * Number of lines with anything but white space. A record without a value counts as one piece,
   * and so does one that looks binary.
   */
  private static long linesOf(byte[] record) {
    if (record == null || record.length == 0 || isBinary(Format.recognised(record))) {
      return 1;
    }
    return Stream.of(new String(record, ISO_8859_1).split("\n"))
        .filter(line -> !line.matches("[ \t\r]*"))
        .count();
  }

  private static boolean isBinary(Format format) {
    return Set.of(Format.NATIVE, Format.METRICTANK, Format.OTLP, Format.PROMETHEUS)
        .contains(format);
  }

  @Provide
  Arbitrary<List<byte[]>> records() {
    Arbitrary<byte[]> garbage = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    Arbitrary<byte[]> piece =
        Arbitraries.of(
                "a",
                "b",
                "g",
                "w",
                "f1",
                "f2",
                "zz",
                "größe",
                "x".repeat(41),
                ".",
                "..",
                ";",
                "=",
                ";dc=x",
                ";name=y",
                ";=",
                "!",
                "~",
                "\u0000",
                "\u007f",
                "\u00a0",
                "٣",
                "nan",
                "inf",
                "-Infinity",
                "1",
                "-0",
                "1e400",
                "1d",
                "0x1p3",
                "-",
                "+",
                "e",
                "N",
                "-1",
                "0.0001",
                "1e300",
                String.valueOf(Long.MAX_VALUE),
                String.valueOf(T))
            .map(text -> text.getBytes(UTF_8));
    Arbitrary<byte[]> space = Arbitraries.of(" ", "\t", "\r", "\n", "\r\n").map(String::getBytes);
    Arbitrary<byte[]> good =
        Arbitraries.of("a", "b", "g", "w", "f1", "f2", "zz", "a;dc=x")
            .flatMap(
                ident ->
                    Arbitraries.longs()
                        .between(T, T + 60)
                        .map(time -> (ident + " 1 " + time + "\n").getBytes(UTF_8)));
    Arbitrary<byte[]> record =
        Arbitraries.frequencyOf(
                Tuple.of(1, garbage), Tuple.of(6, piece), Tuple.of(6, space), Tuple.of(6, good))
            .list()
            .ofMaxSize(30)
            .map(NothingSilentPropertyTest::joined);
    return record.injectNull(0.05).list().ofMaxSize(8);
  }

  private static byte[] joined(List<byte[]> pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
