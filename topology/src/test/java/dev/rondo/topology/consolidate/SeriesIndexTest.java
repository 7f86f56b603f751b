package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.policy.Ident;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SeriesIndexTest {
  private static final Policies POLICIES =
      PoliciesFile.parse(
          """
          policies:
            - {name: a, match: '^a', step: 1s, archives: ["1s:1h"]}
            - {name: b, match: '^b', step: 1s, archives: ["1s:1h"]}
          """);

  private final SegmentCodec codec = new SegmentCodec(POLICIES, 0);
  private final SegmentStore segments =
      new SegmentStore(Stores.inMemoryKeyValueStore("segments").get());
  private KeyValueStore<String, SeriesEntry> positions;

  @BeforeEach
  void open() {
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    positions =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("positions"),
                Serdes.String(),
                Topics.SERIES.valueSerde())
            .withLoggingDisabled()
            .build();
    positions.init(context.getStateStoreContext(), positions);
    segments.init(context.getStateStoreContext(), segments);
    segments.load(codec, 0);
  }

  private SeriesIndex index(int partition, int width) {
    return new SeriesIndex(partition, width, segments, codec, positions);
  }

  private static SeriesEntry register(SeriesIndex index, String ident) {
    Policy policy = POLICIES.of(Ident.parse(ident)).orElseThrow();
    return index.register(ident, policy, 7);
  }

  @Test
  void shouldKeepPlacesInASegmentThatWasNeverSaved() {
    SeriesIndex before = index(0, 2);
    register(before, "a0");
    SeriesEntry kept = register(before, "a1");
    segments.load(codec, 0); // a crash: what was not written back is gone

    SeriesIndex after = index(0, 2);
    assertThat(after.find("a1").segment().number()).isEqualTo(kept.getSeg());
    assertThat(after.find("a1").series()).isEqualTo(kept.getPos() - 1);
    assertThat(after.seriesOfGonePolicies()).isEmpty();
    assertThat(register(after, "a2").getSeg()).as("the segment is full").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/rondo/schemas/golden/positions.csv", numLinesToSkip = 1)
  void shouldGivePlacesAsGolden(int partition, int width, int nth, int seg, int pos) {
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
  void shouldKeepPoliciesInSegmentsOfTheirOwn() {
    SeriesIndex index = index(0, 2);
    assertThat(register(index, "a1").getSeg()).isEqualTo(0);
    assertThat(register(index, "b1").getSeg()).isEqualTo(1);
    assertThat(register(index, "a2").getSeg()).isEqualTo(0);
    assertThat(register(index, "a3").getSeg()).isEqualTo(2);
  }

  @Test
  void shouldGoOnWhereItWasAfterARestart() {
    SeriesIndex before = index(0, 2);
    register(before, "a1");
    register(before, "b1");
    register(before, "a2");
    register(before, "a3");
    segments.flushCache();

    segments.load(codec, 0);
    SeriesIndex after = index(0, 2);
    assertThat(after.size()).isEqualTo(4);
    assertThat(after.find("a2").segment().number()).isEqualTo(0);
    assertThat(after.find("a2").series()).isEqualTo(1);
    SeriesEntry next = register(after, "a4");
    assertThat(next.getSeg()).isEqualTo(2);
    assertThat(next.getPos()).isEqualTo(2);
    assertThat(register(after, "a5").getSeg()).isEqualTo(3);
  }

  @Test
  void shouldNotKnowSeriesWhosePolicyIsGoneNorGiveTheirPlacesAway() {
    SeriesIndex before = index(0, 2);
    register(before, "a1");
    register(before, "b1");
    segments.flushCache();

    Policies onlyB = new Policies(POLICIES.inOrder().subList(1, 2));
    SegmentCodec later = new SegmentCodec(onlyB, 0);
    segments.load(later, 0);
    SeriesIndex after = new SeriesIndex(0, 2, segments, later, positions);
    assertThat(after.seriesOfGonePolicies()).containsOnly(Map.entry("a", 1));
    assertThat(after.find("a1")).isNull();
    assertThat(after.find("b1")).isNotNull();
    register(after, "b2");
    assertThat(register(after, "b3").getSeg()).as("0 was a's").isEqualTo(2);
  }

  @Test
  void shouldNotGiveAPositionAgainThatASeriesHadBeforeItsPolicyWasGone() {
    SeriesIndex before = index(0, 3);
    send(before, "a1");
    send(before, "a2");
    restartWithoutA("a2");

    SeriesIndex after = index(0, 3);
    assertThat(after.seriesOfGonePolicies()).isEmpty();
    SeriesEntry next = send(after, "a3");
    assertThat(next.getSeg()).isEqualTo(0);
    assertThat(next.getPos()).as("2 was a2's").isEqualTo(3);
    assertThat(send(after, "a4").getSeg()).as("1 is b's").isEqualTo(2);
  }

  @Test
  void shouldNotGiveTheNumberOfASegmentAgainThatAllItsSeriesHaveLeft() {
    SeriesIndex before = index(0, 1);
    send(before, "b1");
    send(before, "a1");
    restartWithoutA("a1");
    positions.delete("a1"); // retired under its new policy

    SeriesIndex after = index(0, 1);
    assertThat(send(after, "a2").getSeg()).as("0 and 2 are b's, 1 was a1's").isEqualTo(3);
  }

  /** One start with a file that lacks policy a, in which a series of it sends: b covers it. */
  private void restartWithoutA(String sends) {
    segments.flushCache();
    Policy b = POLICIES.named("b").orElseThrow();
    SegmentCodec meanwhile = new SegmentCodec(new Policies(List.of(b)), 0);
    segments.load(meanwhile, 0);
    send(new SeriesIndex(0, 3, segments, meanwhile, positions), sends, b);
    segments.flushCache();
    segments.load(codec, 0);
  }

  private static SeriesEntry send(SeriesIndex index, String ident) {
    return send(index, ident, POLICIES.of(Ident.parse(ident)).orElseThrow());
  }

  /** As the processor: a new series, and its first point. */
  private static SeriesEntry send(SeriesIndex index, String ident, Policy policy) {
    SeriesEntry entry = index.register(ident, policy, 7);
    SeriesIndex.Place place = index.find(ident);
    place.segment().slots.add(place.series(), 7, 1, (archive, series, endMs, value) -> {});
    return entry;
  }
}
