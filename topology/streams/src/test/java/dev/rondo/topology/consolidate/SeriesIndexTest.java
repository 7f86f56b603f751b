package dev.rondo.topology.consolidate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentContext;
import dev.rondo.topology.segment.SegmentContexts;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.state.HeldBytes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SeriesIndexTest {
  private static final long HOUR_MS = 3_600_000;

  private static final Policies POLICIES =
      PoliciesFile.parse(
          """
          policies:
            - {name: a, match: '^a', step: 1s, archives: ["1s:1h"]}
            - {name: b, match: '^b', step: 1s, archives: ["1s:1h"]}
            - {name: waits, match: '^w', step: 1s, reorder: 5s, archives: ["1s:1h"]}
            - {name: few, match: '^f', step: 1s, max.series: 4, archives: ["1s:1h"]}
          """);

  private final SegmentCodec codec = codec(POLICIES, 0);
  private final HeldBytes segmentBytes = new HeldBytes("segments");
  private final HeldBytes locationBytes = new HeldBytes("locations");
  private final SegmentStore segments = new SegmentStore(segmentBytes, segmentBytes);
  private final LocationStore locations = new LocationStore(locationBytes, locationBytes);
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final SourceMetrics sources = new SourceMetrics(registry);
  private final SourceMetrics.Topic source = sources.topic("points");

  @BeforeEach
  void open() {
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    locations.init(context.getStateStoreContext(), locations);
    segments.init(context.getStateStoreContext(), segments);
    segments.load(codec, 1);
  }

  private static SegmentCodec codec(Policies policies, int replayEpoch) {
    return new SegmentCodec(policies, replayEpoch, SegmentContexts.of(0), FormatVersion.NEWEST);
  }

  private SeriesIndex index(int partition, int width) {
    return new SeriesIndex(partition, 2, width, segments, codec, locations, sources);
  }

  private SeriesEntry register(SeriesIndex index, String ident) {
    Policy policy = POLICIES.of(Ident.parse(ident)).orElseThrow();
    return index.register(ident, policy, 7, source);
  }

  @Test
  void shouldKeepLocationsInASegmentThatWasNeverSaved() {
    SeriesIndex before = index(0, 2);
    register(before, "a0");
    SeriesEntry kept = register(before, "a1");
    HeldBytes nothing = new HeldBytes("segments"); // a crash loses what was not written back
    SegmentStore empty = new SegmentStore(nothing, nothing);
    empty.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), empty);
    empty.load(codec, 1);

    SeriesIndex after = new SeriesIndex(0, 2, 2, empty, codec, locations, sources);
    assertThat(after.find("a1").segment().number()).isEqualTo(kept.getSeg());
    assertThat(after.find("a1").series()).isEqualTo(kept.getPos() - 1);
    assertThat(after.seriesWithoutPolicy()).isEmpty();
    assertThat(register(after, "a2").getSeg()).as("the segment is full").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/rondo/schemas/golden/positions.csv", numLinesToSkip = 1)
  void shouldAssignLocationsAsGolden(int partition, int width, int nth, int seg, int pos) {
    SeriesIndex index = index(partition, width);
    for (int n = 0; n < nth; n++) {
      register(index, "a" + n);
    }
    SeriesEntry entry = register(index, "a" + nth);
    assertThat(entry.getSeg()).isEqualTo(seg);
    assertThat(entry.getPos()).isEqualTo(pos);
    assertThat(index.find("a" + nth).series()).isEqualTo(pos - 1);
  }

  @Test
  void shouldKeepPoliciesInSeparateSegments() {
    SeriesIndex index = index(0, 2);
    assertThat(register(index, "a1").getSeg()).isEqualTo(0);
    assertThat(register(index, "b1").getSeg()).isEqualTo(1);
    assertThat(register(index, "a2").getSeg()).isEqualTo(0);
    assertThat(register(index, "a3").getSeg()).isEqualTo(2);
  }

  @Test
  void shouldContinueAfterARestart() {
    SeriesIndex before = index(0, 2);
    register(before, "a1");
    register(before, "b1");
    register(before, "a2");
    register(before, "a3");
    segments.flushCache();

    segments.load(codec, 1);
    SeriesIndex after = index(0, 2);
    assertThat(after.all()).hasSize(4);
    assertThat(after.find("a2").segment().number()).isEqualTo(0);
    assertThat(after.find("a2").series()).isEqualTo(1);
    SeriesEntry next = register(after, "a4");
    assertThat(next.getSeg()).isEqualTo(2);
    assertThat(next.getPos()).isEqualTo(2);
    assertThat(register(after, "a5").getSeg()).isEqualTo(3);
  }

  @Test
  void shouldHoldBytesOnlyWhileTheTaskDoesNotRun() {
    SeriesIndex index = index(0, 2);
    register(index, "a1");
    register(index, "b1");
    segments.flushCache();
    assertThat(count(locationBytes)).isZero();
    assertThat(count(segmentBytes)).isZero();

    segments.clearCache();
    locations.clearCache();
    assertThat(count(locationBytes)).isEqualTo(2);
    assertThat(count(segmentBytes)).as("and the version of the policies").isEqualTo(2 + 1);

    SegmentCodec later = codec(new Policies(POLICIES.inOrder().subList(1, 2)), 0);
    segments.load(later, 1);
    assertThat(new SeriesIndex(0, 2, 2, segments, later, locations, sources).find("b1"))
        .isNotNull();
    assertThat(count(locationBytes)).as("a's").isEqualTo(1);
    assertThat(count(segmentBytes)).as("a's and the version").isEqualTo(1 + 1);
  }

  private static long count(HeldBytes bytes) {
    return bytes.approximateNumEntries();
  }

  @Test
  void shouldNotReuseLocationsOfARemovedPolicy() {
    SeriesIndex before = index(0, 2);
    register(before, "a1");
    register(before, "b1");
    segments.flushCache();

    Policies onlyB = new Policies(POLICIES.inOrder().subList(1, 2));
    SegmentCodec later = codec(onlyB, 0);
    segments.load(later, 1);
    SeriesIndex after = new SeriesIndex(0, 2, 2, segments, later, locations, sources);
    assertThat(after.seriesWithoutPolicy()).containsOnly(Map.entry("a", 1));
    assertThat(after.find("a1")).isNull();
    assertThat(after.find("b1")).isNotNull();
    register(after, "b2");
    assertThat(register(after, "b3").getSeg()).as("0 was a's").isEqualTo(2);
  }

  @Test
  void shouldNotReuseAPositionUsedBeforeItsPolicyWasRemoved() {
    SeriesIndex before = index(0, 3);
    send(before, "a1");
    send(before, "a2");
    restartWithoutA("a2", meanwhile -> {});

    SeriesIndex after = index(0, 3);
    assertThat(after.seriesWithoutPolicy()).isEmpty();
    SeriesEntry next = send(after, "a3");
    assertThat(next.getSeg()).isEqualTo(0);
    assertThat(next.getPos()).as("2 was a2's").isEqualTo(3);
    assertThat(send(after, "a4").getSeg()).as("1 is b's").isEqualTo(2);
  }

  @Test
  void shouldNotReuseTheNumberOfAnEmptySegment() {
    SeriesIndex before = index(0, 1);
    send(before, "b1");
    send(before, "a1");
    restartWithoutA("a1", meanwhile -> retire(meanwhile, "a1"));

    SeriesIndex after = index(0, 1);
    assertThat(send(after, "a2").getSeg()).as("0 and 2 are b's, 1 was a1's").isEqualTo(3);
  }

  @Test
  void shouldNotReuseTheNumberOfAnEmptySegmentOfARemovedPolicy() {
    SeriesIndex before = index(0, 3);
    send(before, "a1");
    retire(before, "a1");
    segments.flushCache();

    Policy b = POLICIES.named("b").orElseThrow();
    SegmentCodec meanwhile = codec(new Policies(List.of(b)), 0);
    segments.load(meanwhile, 1);
    SeriesIndex after = new SeriesIndex(0, 2, 3, segments, meanwhile, locations, sources);
    assertThat(send(after, "b1", b).getSeg())
        .as("segment 0 has the end of a1's last slot")
        .isEqualTo(1);
  }

  /** Starts once without policy a, while a series of it sends: b matches it. */
  private void restartWithoutA(String sends, Consumer<SeriesIndex> then) {
    segments.flushCache();
    Policy b = POLICIES.named("b").orElseThrow();
    SegmentCodec meanwhile = codec(new Policies(List.of(b)), 0);
    segments.load(meanwhile, 1);
    SeriesIndex index = new SeriesIndex(0, 2, 3, segments, meanwhile, locations, sources);
    send(index, sends, b);
    then.accept(index);
    segments.flushCache();
    segments.load(codec, 1);
  }

  private SeriesEntry send(SeriesIndex index, String ident) {
    return send(index, ident, POLICIES.of(Ident.parse(ident)).orElseThrow());
  }

  /** Registers a new series and adds its first point, as the processor does. */
  private SeriesEntry send(SeriesIndex index, String ident, Policy policy) {
    SeriesEntry entry = index.register(ident, policy, 7, source);
    add(index, ident, 7);
    return entry;
  }

  @Test
  void shouldReuseThePositionOfARetiredSeriesAfterItsLastSlot() {
    SeriesIndex before = index(0, 3);
    send(before, "a1");
    send(before, "a2");
    retire(before, "a1");
    assertThat(before.find("a1")).isNull();
    Policy a = POLICIES.named("a").orElseThrow();
    assertThat(before.register("a3", a, 999, source).getPos())
        .as("a1's slot ends at 1000")
        .isEqualTo(3);
    segments.flushCache();

    segments.load(codec, 1);
    SeriesIndex after = index(0, 3);
    assertThat(after.register("a4", a, 1_000, source).getPos()).isEqualTo(1);
    assertThat(after.register("a5", a, 1_000, source).getSeg()).as("no other is free").isEqualTo(1);
    assertThat(after.find("a4").segment().newestMs(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldReserveThePositionForOlderPointsOfTheReorderWindow() {
    SeriesIndex index = index(0, 3);
    Policy waits = POLICIES.named("waits").orElseThrow();
    send(index, "w1");
    add(index, "w1", 5_007); // releases the first point
    retire(index, "w1");
    assertThat(index.register("w2", waits, 5_999, source).getPos())
        .as("may begin at 999")
        .isEqualTo(2);
    assertThat(index.register("w3", waits, 6_000, source).getPos()).isEqualTo(1);
  }

  @Test
  void shouldRefuseMoreSeriesThanThePartitionsShare() {
    SeriesIndex index = index(0, 3);
    Policy few = POLICIES.named("few").orElseThrow();
    send(index, "f1");
    assertThat(index.refusal(few, 7)).isEmpty();
    send(index, "f2");
    assertThat(index.refusal(few, 7)).contains(DropReason.TOO_MANY_SERIES);
    retire(index, "f1");
    assertThat(index.refusal(few, 7)).isEmpty();
    send(index, "f3");
    segments.flushCache();
    segments.load(codec, 1);
    assertThat(index(0, 3).refusal(few, 7)).contains(DropReason.TOO_MANY_SERIES);
  }

  @Test
  void shouldReuseOnlyFreePositionsAfterTheLastSegment() {
    int last = SegmentNumber.of(0, SegmentNumber.MAX_SEGMENTS - 1);
    locationBytes.put(Bytes.wrap("a1".getBytes(UTF_8)), entryAt(last));
    SeriesIndex index = index(0, 1);
    Policy a = POLICIES.named("a").orElseThrow();
    assertThat(index.segmentCount()).isEqualTo(SegmentNumber.MAX_SEGMENTS);
    assertThat(index.refusal(a, 2_000)).contains(DropReason.TOO_MANY_SEGMENTS);
    assertThatThrownBy(() -> index.register("a2", a, 2_000, source))
        .isInstanceOf(IllegalArgumentException.class);
    add(index, "a1", 7);
    retire(index, "a1");
    assertThat(index.refusal(a, 999)).contains(DropReason.TOO_MANY_SEGMENTS);
    assertThat(index.refusal(a, 1_000)).isEmpty();
    assertThat(index.register("a2", a, 1_000, source).getSeg()).isEqualTo(last);
  }

  private static byte[] entryAt(int segment) {
    return Topics.SERIES
        .valueSerde()
        .serializer()
        .serialize(
            Topics.SERIES.name(), new SeriesEntry("a1", "a", segment, 1, 7L, "points", "", 0L));
  }

  @Test
  void shouldMoveStartsAtBackButNotBeforeTheLastSlotOfThePreviousSeries() {
    SeriesIndex index = index(0, 3);
    Policy a = POLICIES.named("a").orElseThrow();
    index.register("a1", a, 9_000, source);
    assertThat(moveStartsAt(index, "a1", 9_000)).isEmpty();
    assertThat(moveStartsAt(index, "a1", 7_500))
        .hasValueSatisfying(entry -> assertThat(entry.getStartsAt()).isEqualTo(7_500));
    assertThat(index.entry("a1").getStartsAt()).isEqualTo(7_500);
    add(index, "a1", 7_500);
    retire(index, "a1");
    assertThat(index.register("a2", a, 9_000, source).getPos()).isEqualTo(1);
    assertThat(moveStartsAt(index, "a2", 7_999)).isEmpty();
    assertThat(moveStartsAt(index, "a2", 8_000)).isPresent();
  }

  @Test
  void shouldKeepEveryLocationThroughAReplay() {
    SeriesIndex before = index(0, 3);
    send(before, "a1");
    send(before, "a2");
    retire(before, "a1");
    segments.flushCache();

    SegmentContext task = SegmentContexts.of(0);
    segments.load(new SegmentCodec(POLICIES, 1, task, FormatVersion.NEWEST), 1);
    SeriesIndex after = index(0, 3);
    SeriesIndex.Location location = after.find("a2");
    assertThat(location.series()).isEqualTo(1);
    assertThat(location.segment().newestMs(1)).as("rewound").isEqualTo(Long.MIN_VALUE);
    location.segment().start();
    for (long ms = 0; ms <= HOUR_MS; ms += 5_000) {
      task.silence().see(2 * ms);
      task.clock().update(SegmentContexts.WALL_MS + ms);
    }
    task.clock().see(1_000 + HOUR_MS - 1);
    assertThat(expired(location.segment())).isEmpty();
    task.clock().see(1_000 + HOUR_MS);
    assertThat(expired(location.segment())).as("no point since the replay").containsExactly(1);
    Policy a = POLICIES.named("a").orElseThrow();
    assertThat(after.register("a3", a, 500, source).getPos())
        .as("1 was a1's until 1000")
        .isEqualTo(3);
  }

  private static List<Integer> expired(Segment segment) {
    List<Integer> expired = new ArrayList<>();
    segment.forEachExpired(expired::add);
    return expired;
  }

  private static void retire(SeriesIndex index, String ident) {
    SeriesIndex.Location location = index.find(ident);
    assertThat(index.retire(location.segment(), location.series()).ident()).isEqualTo(ident);
  }

  private static Optional<SeriesEntry> moveStartsAt(SeriesIndex index, String ident, long tMs) {
    SeriesIndex.Location location = index.find(ident);
    return index.moveStartsAt(location.segment(), location.series(), tMs);
  }

  private static void add(SeriesIndex index, String ident, long tMs) {
    SeriesIndex.Location location = index.find(ident);
    location.segment().add(location.series(), tMs, 1);
  }

  @Test
  void shouldRestoreTheSourceOfASeries() {
    register(index(0, 2), "a0");
    assertThat(index(0, 2).entry("a0").getSource()).isEqualTo("points");
  }

  @Test
  void shouldRestoreASeriesThatAnEarlierVersionWroteWithoutSource() throws IOException {
    locationBytes.put(Bytes.wrap("a0".getBytes(UTF_8)), withoutSource("a0"));
    assertThat(index(0, 2).entry("a0")).isEqualTo(new SeriesEntry("a0", "a", 0, 1, 7L, "", "", 0L));
    assertThat(
            registry
                .get("rondo.consolidate.series.by.source")
                .tag("source", "(backfill)")
                .gauge()
                .value())
        .isEqualTo(1);
  }

  private static byte[] withoutSource(String ident) throws IOException {
    Schema schema;
    try (InputStream file = Topics.class.getResourceAsStream("previous/SeriesEntry-1.avsc")) {
      schema = new SchemaParser().parse(file).mainSchema();
    }
    GenericRecord entry =
        new GenericRecordBuilder(schema)
            .set("ident", ident)
            .set("policy", "a")
            .set("seg", 0)
            .set("pos", 1)
            .set("valid_from", 7L)
            .build();
    ByteBuffer bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(entry);
    return Utils.toArray(bytes);
  }
}
