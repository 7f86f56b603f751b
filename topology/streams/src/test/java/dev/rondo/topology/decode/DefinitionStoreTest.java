package dev.rondo.topology.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.metrictank.Messages.Sent;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.memory.MemoryAccount;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Definitions of ids in the step decode, its store and the changelog of the store. */
class DefinitionStoreTest {
  private static final Sent IDLE = new Sent("cpu.idle", List.of("host=web01"));
  private static final int TIME_S = 1_700_000_000;
  private static final Duration DAY = Duration.ofDays(1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> source;
  private TestOutputTopic<Integer, Points> points;

  @BeforeEach
  void start() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "alone");
    driver =
        new TopologyTestDriver(
            DecodeAlone.topology("mdm", Format.METRICTANK, registry),
            properties,
            Instant.ofEpochSecond(TIME_S));
    source = driver.createInputTopic("mdm", new ByteArraySerializer(), new ByteArraySerializer());
    points =
        driver.createOutputTopic(
            DecodeAlone.POINTS, new IntegerDeserializer(), Topics.POINTS_SERDE.deserializer());
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void send(byte[] record) {
    source.pipeInput(null, record, TIME_S * 1000L);
  }

  private List<String> idents() {
    return points.readValuesToList().stream()
        .flatMap(batch -> batch.getPoints().stream())
        .map(Point::getIdent)
        .toList();
  }

  /** Entries written since the last call; a null value is a deletion. */
  private List<KeyValue<byte[], byte[]>> written() {
    return driver
        .createOutputTopic(
            "alone-definitions-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readKeyValuesToList();
  }

  @Test
  void shouldNameThePointsOfAnId() {
    send(IDLE.point(1, TIME_S));
    send(IDLE.data(1, TIME_S));
    send(IDLE.point(1, TIME_S + 10));
    assertThat(idents()).containsExactly("cpu.idle;host=web01", "cpu.idle;host=web01");
    assertThat(registry.get("rondo.drops.points").tag("reason", "unknown-id").counter().count())
        .isEqualTo(1);
  }

  @Test
  void shouldWriteOnlyNewOrChangedDefinitions() {
    send(IDLE.data(1, TIME_S));
    assertThat(written())
        .singleElement()
        .satisfies(entry -> assertThat(entry.key).isEqualTo(IDLE.id()));
    send(IDLE.data(2, TIME_S + 10));
    send(IDLE.point(3, TIME_S + 20));
    assertThat(written()).isEmpty();
    byte[] renamed = IDLE.data(4, TIME_S + 30);
    renamed[renamed.length - 1] = '2';
    send(renamed);
    assertThat(written()).hasSize(1);
    idents();
    send(IDLE.point(5, TIME_S + 40));
    assertThat(idents()).containsExactly("cpu.idle;host=web02");
  }

  @Test
  void shouldKeepUsedIdsWhenTheClockIsSetAYearForward() {
    send(IDLE.data(1, TIME_S));
    driver.advanceWallClockTime(DAY.multipliedBy(365));
    send(IDLE.point(1, TIME_S + 10));
    driver.advanceWallClockTime(DefinitionStore.CLEANUP_INTERVAL);
    send(IDLE.point(1, TIME_S + 20));
    assertThat(idents()).hasSize(3);
  }

  @Test
  void shouldGiveUsedIdsADayAfterAStartWithTheClockFarAhead() {
    AtomicLong clockMs = new AtomicLong(TIME_S * 1000L);
    MemoryAccount memory = MemoryAccount.of(10_000);
    byte[][] ids = {{1}, {2}};
    var before =
        new DefinitionStore(driver.getKeyValueStore("definitions"), clockMs::get, memory.open());
    before.put(ids[0], "used");
    before.put(ids[1], "unused");
    clockMs.addAndGet(DAY.multipliedBy(DefinitionStore.KEPT_DAYS + 2).toMillis());
    var after =
        new DefinitionStore(driver.getKeyValueStore("definitions"), clockMs::get, memory.open());
    for (int hour = 1; hour < 24; hour++) {
      clockMs.addAndGet(DefinitionStore.CLEANUP_INTERVAL.toMillis());
      after.forgetUnused();
    }
    assertThat(after.get(ids[0])).as("used once a day").isEqualTo("used");
    clockMs.addAndGet(DefinitionStore.CLEANUP_INTERVAL.toMillis());
    after.forgetUnused();
    assertThat(List.of(ids)).extracting(after::get).containsExactly("used", null);

    clockMs.addAndGet(DAY.multipliedBy(-DefinitionStore.KEPT_DAYS).toMillis());
    after.forgetUnused();
    assertThat(after.get(ids[0])).as("the clock was mended").isEqualTo("used");
  }

  @Test
  void shouldDeleteUnusedIds() {
    Sent silent = new Sent("silent", List.of());
    send(IDLE.data(1, TIME_S));
    send(silent.data(1, TIME_S));
    assertThat(written()).hasSize(2);
    for (int day = 1; day <= DefinitionStore.KEPT_DAYS; day++) {
      driver.advanceWallClockTime(DAY);
      send(IDLE.point(1, TIME_S + 10 * day));
    }
    assertThat(written())
        .as("once a day while it is used")
        .hasSize(DefinitionStore.KEPT_DAYS)
        .allSatisfy(entry -> assertThat(entry.key).isEqualTo(IDLE.id()));
    driver.advanceWallClockTime(DAY);
    assertThat(written())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.key).isEqualTo(silent.id());
              assertThat(entry.value).isNull();
            });
    idents();
    send(silent.point(1, TIME_S));
    assertThat(idents()).isEmpty();
    send(IDLE.point(1, TIME_S + 10));
    assertThat(idents()).hasSize(1);
  }

  @Test
  void shouldKeepNoMoreThanTheMemoryAllows() {
    MemoryAccount memory = MemoryAccount.of(300);
    DefinitionStore two =
        new DefinitionStore(driver.getKeyValueStore("definitions"), () -> 0, memory.open());
    byte[][] ids = {{1}, {2}, {3}};
    for (byte[] id : ids) {
      two.put(id, "first");
    }
    two.put(ids[0], "second");
    assertThat(List.of(ids)).extracting(two::get).containsExactly("second", "first", null);
    two.close();
    assertThat(memory.bytes()).isZero();
    var again = new DefinitionStore(driver.getKeyValueStore("definitions"), () -> 0, memory.open());
    again.put(ids[2], "third");
    assertThat(again.get(ids[2])).as("existing entries count").isNull();
  }

  @Test
  void shouldKeepNothingForOtherFormats() {
    assertThat(
            DecodeAlone.topology("a", Format.PROMETHEUS, registry).describe().toString()
                + DecodeAlone.topology("a", Format.GRAPHITE, registry).describe())
        .doesNotContain("definitions");
    assertThat(DecodeAlone.topology("a", Format.METRICTANK, registry).describe().toString())
        .contains("Processor: decode (stores: [definitions])");
  }
}
