package dev.rondo.topology.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.Definitions;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.metrictank.Messages.Sent;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Definitions of ids in the decode step, its store and the changelog of the store. */
class DefinitionStoreTest {
  private static final Sent IDLE = new Sent("cpu.idle", List.of("host=web01"));
  private static final int TIME_S = 1_700_000_000;
  private static final Duration DAY = Duration.ofDays(1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> source;
  private TestInputTopic<byte[], byte[]> other;
  private TestOutputTopic<Integer, Points> points;

  @BeforeEach
  void start() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "alone");
    driver =
        new TopologyTestDriver(
            DecodeAlone.topology(List.of("mdm", "other"), Format.METRICTANK, registry),
            properties,
            Instant.ofEpochSecond(TIME_S));
    source = driver.createInputTopic("mdm", new ByteArraySerializer(), new ByteArraySerializer());
    other = driver.createInputTopic("other", new ByteArraySerializer(), new ByteArraySerializer());
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

  private void sendToOther(byte[] record) {
    other.pipeInput(null, record, TIME_S * 1000L);
  }

  private static byte[] key(Sent sent, String topic) {
    return ByteBuffer.allocate(16 + topic.length())
        .put(sent.id())
        .put(topic.getBytes(StandardCharsets.UTF_8))
        .array();
  }

  private static byte[] id(int n) {
    return ByteBuffer.allocate(16).put((byte) n).array();
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

  /** A producer of another topic may define the same id differently. */
  @Test
  void shouldNotLetAnotherSourceNameThePointsOfAnId() {
    send(IDLE.data(1, TIME_S));
    byte[] renamed = IDLE.data(2, TIME_S);
    renamed[renamed.length - 1] = '2';
    sendToOther(renamed);
    send(IDLE.point(3, TIME_S + 10));
    sendToOther(IDLE.point(4, TIME_S + 10));
    assertThat(idents())
        .containsExactly(
            "cpu.idle;host=web01",
            "cpu.idle;host=web02",
            "cpu.idle;host=web01",
            "cpu.idle;host=web02");
  }

  /** From the release that shared definitions: an id without a topic. */
  @Test
  void shouldReadDefinitionsThatAllSourcesShared() {
    send(IDLE.data(1, TIME_S));
    KeyValueStore<byte[], byte[]> store = driver.getKeyValueStore("definitions");
    byte[] entry = store.delete(key(IDLE, "mdm"));
    store.put(IDLE.id(), entry);
    var definitions =
        new DefinitionStore(store, () -> TIME_S * 1000L, new FairMemory(MemoryAccount.of(10_000)));
    assertThat(definitions.of("mdm").get(IDLE.id())).startsWith("cpu.idle");
    assertThat(store.get(key(IDLE, "mdm"))).as("its own from now on").isEqualTo(entry);

    definitions.of("other").put(IDLE.id(), "theirs");
    assertThat(definitions.of("mdm").get(IDLE.id())).startsWith("cpu.idle");
    assertThat(definitions.of("other").get(IDLE.id())).isEqualTo("theirs");
    assertThat(store.get(IDLE.id())).isEqualTo(entry);
  }

  @Test
  void shouldLeaveMemoryToOtherSources() {
    var memory = new FairMemory(MemoryAccount.of(100_000));
    var definitions = new DefinitionStore(driver.getKeyValueStore("definitions"), () -> 0, memory);
    Definitions flood = definitions.of("flood");
    for (int n = 0; n < 10_000; n++) {
      flood.put(ByteBuffer.allocate(16).putInt(n).array(), "flood");
    }
    assertThat(memory.of("flood").bytes()).as("two thirds").isBetween(66_000L, 67_000L);
    Definitions quiet = definitions.of("quiet");
    for (int n = 0; n < 100; n++) {
      quiet.put(id(n), "quiet");
      assertThat(quiet.get(id(n))).as("id %d", n).isEqualTo("quiet");
    }
  }

  @Test
  void shouldWriteOnlyNewOrChangedDefinitions() {
    send(IDLE.data(1, TIME_S));
    assertThat(written())
        .singleElement()
        .satisfies(entry -> assertThat(entry.key).isEqualTo(key(IDLE, "mdm")));
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
    var memory = new FairMemory(MemoryAccount.of(10_000));
    byte[][] ids = {{1}, {2}};
    KeyValueStore<byte[], byte[]> store = driver.getKeyValueStore("definitions");
    Definitions before = new DefinitionStore(store, clockMs::get, memory).of("mdm");
    before.put(ids[0], "used");
    before.put(ids[1], "unused");
    clockMs.addAndGet(DAY.multipliedBy(DefinitionStore.KEPT_DAYS + 2).toMillis());
    var after = new DefinitionStore(store, clockMs::get, memory);
    Definitions found = after.of("mdm");
    for (int hour = 1; hour < 24; hour++) {
      clockMs.addAndGet(DefinitionStore.CLEANUP_INTERVAL.toMillis());
      after.forgetUnused();
    }
    assertThat(found.get(ids[0])).as("used once a day").isEqualTo("used");
    clockMs.addAndGet(DefinitionStore.CLEANUP_INTERVAL.toMillis());
    after.forgetUnused();
    assertThat(List.of(ids)).extracting(found::get).containsExactly("used", null);

    clockMs.addAndGet(DAY.multipliedBy(-DefinitionStore.KEPT_DAYS).toMillis());
    after.forgetUnused();
    assertThat(found.get(ids[0])).as("the clock was corrected").isEqualTo("used");
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
        .allSatisfy(entry -> assertThat(entry.key).isEqualTo(key(IDLE, "mdm")));
    driver.advanceWallClockTime(DAY);
    assertThat(written())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.key).isEqualTo(key(silent, "mdm"));
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
    DefinitionStore store =
        new DefinitionStore(
            driver.getKeyValueStore("definitions"), () -> 0, new FairMemory(memory));
    Definitions two = store.of("mdm");
    byte[][] ids = {id(1), id(2), id(3)};
    for (byte[] id : ids) {
      two.put(id, "first");
    }
    two.put(ids[0], "second");
    assertThat(List.of(ids)).extracting(two::get).containsExactly("second", "first", null);
    store.close();
    assertThat(memory.bytes()).isZero();
    Definitions again =
        new DefinitionStore(driver.getKeyValueStore("definitions"), () -> 0, new FairMemory(memory))
            .of("mdm");
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
