package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.policy.Ident;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
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
    assertThat(after.find("a1")).isNull();
    assertThat(after.find("b1")).isNotNull();
    register(after, "b2");
    assertThat(register(after, "b3").getSeg()).as("0 was a's").isEqualTo(2);
  }
}
