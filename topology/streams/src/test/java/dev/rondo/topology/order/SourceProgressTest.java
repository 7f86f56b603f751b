package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.memory.MemoryAccount;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceProgressTest {
  private static final TopicPartition A = new TopicPartition("points", 0);
  private static final TopicPartition B = new TopicPartition("points", 1);
  private static final long NOW_MS = 1_000_000;

  private final MemoryAccount merge = MemoryAccount.ofEntries(1 + 10);
  private final SourceProgress progress = new SourceProgress(merge);

  private void ends(Map<TopicPartition, Long> offsets) {
    progress.ends(new EndOffsets(offsets, 0));
  }

  @Test
  void shouldBeDecodedUpToTheLastDecodedRecord() {
    progress.read(A, 9, 500_000, NOW_MS);
    assertThat(progress.decodedTo(A, 4)).isEqualTo(5);
    assertThat(progress.decodedTo(A, 9)).isEqualTo(10);
  }

  @Test
  void shouldBeDecodedPastAGapOnceAllReadRecordsAreDecoded() {
    progress.read(A, 9, 500_000, NOW_MS);
    progress.position(A, 11, NOW_MS);
    assertThat(progress.decodedTo(A, 8)).isEqualTo(9);
    assertThat(progress.decodedTo(A, 9)).isEqualTo(11);
  }

  @Test
  void shouldBeDecodedIfThereIsNothingToRead() {
    assertThat(progress.decodedTo(A, -1)).as("unknown").isEqualTo(-1);
    progress.position(A, 7, NOW_MS);
    assertThat(progress.decodedTo(A, -1)).isEqualTo(7);
  }

  @Test
  void shouldForgetThePositionOfARestartedPartition() {
    progress.read(A, 9, 500_000, NOW_MS);
    progress.begin(A);
    assertThat(progress.decodedTo(A, -1)).isEqualTo(-1);
  }

  @Test
  void shouldUseTheNewestTimeOfAPartition() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 511_000, NOW_MS);
    progress.read(A, 10, 400_000, NOW_MS);
    progress.read(B, 3, 500_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS))
        .as("a record with an old time does not move it back")
        .containsExactly(A);
  }

  @Test
  void shouldPauseAPartitionFarAheadOfOneWithMoreToRead() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 511_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    progress.read(A, 19, 500_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).as("A is at its end").isEmpty();
  }

  @Test
  void shouldPauseForAnUnreadPartitionUnlessItIsStuck() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(B, 3, 511_000, NOW_MS);
    progress.position(A, 0, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    assertThat(progress.ahead(List.of(A, B), NOW_MS + 30_000)).isEmpty();
  }

  @Test
  void shouldPauseSoonerWhileMuchIsBuffered() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 501_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
    merge.add(6, 0);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    merge.add(-2, 0);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
  }

  @Test
  void shouldHoldBackForAnotherInstanceWhileMuchIsBuffered() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(B, 3, 511_000, NOW_MS);
    progress.decoded(A, new Progress(7, 505_000, 0), NOW_MS);
    assertThat(progress.ahead(List.of(B), NOW_MS)).as("there is memory").isEmpty();
    merge.add(6, 0);
    assertThat(progress.ahead(List.of(B), NOW_MS)).containsExactly(B);
    assertThat(progress.ahead(List.of(B), NOW_MS + 30_000)).as("A is stuck").isEmpty();
    progress.decoded(A, new Progress(9, 506_000, 0), NOW_MS);
    assertThat(progress.ahead(List.of(B), NOW_MS)).as("5 s ahead").isEmpty();
  }

  @Test
  void shouldNotHoldBackForAPartitionThatIsDecodedToItsEnd() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(B, 3, 511_000, NOW_MS);
    progress.decoded(A, new Progress(20, 505_000, 0), NOW_MS);
    merge.add(6, 0);
    assertThat(progress.ahead(List.of(B), NOW_MS)).isEmpty();
  }
}
