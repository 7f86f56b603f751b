package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.MemoryAccount;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceProgressTest {
  private static final TopicPartition A = new TopicPartition("points", 0);
  private static final TopicPartition B = new TopicPartition("points", 1);
  private static final long NOW_MS = 1_000_000;

  private static final long MAX_BYTES = 30_000;
  private static final int FEW = 10;
  private static final int MANY = 50;

  private final MemoryAccount merge = MemoryAccount.of(MAX_BYTES);
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
  void shouldBeDecodedIfNothingIsLeftToRead() {
    assertThat(progress.decodedTo(A, -1)).as("unknown").isEqualTo(-1);
    progress.position(A, 7, NOW_MS);
    assertThat(progress.decodedTo(A, -1)).isEqualTo(7);
  }

  @Test
  void shouldForgetThePositionOfARestartedPartition() {
    progress.read(A, 9, 500_000, NOW_MS);
    progress.forget(A);
    assertThat(progress.decodedTo(A, -1)).isEqualTo(-1);
  }

  @Test
  void shouldUseTheNewestTimeOfAPartition() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 501_000, NOW_MS);
    progress.read(A, 10, 400_000, NOW_MS);
    progress.read(B, 3, 500_000, NOW_MS);
    decode(501_000, MANY);
    assertThat(progress.ahead(List.of(A, B), NOW_MS))
        .as("a record with an old time does not move it back")
        .containsExactly(A);
  }

  @Test
  void shouldPauseAPartitionOnceMuchIsDecodedBeyondTheSlowest() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 501_000, NOW_MS);
    decode(501_000, FEW);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).as("few points").isEmpty();
    decode(501_000, MANY);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    progress.read(A, 10, 500_500, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).as("as far as B, but for skew").isEmpty();
  }

  @Test
  void shouldNotPauseForAPartitionAtItsEnd() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 19, 500_000, NOW_MS);
    progress.read(B, 3, 511_000, NOW_MS);
    decode(511_000, MANY);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
  }

  @Test
  void shouldPauseForAnUnreadPartitionUnlessItIsStuck() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(B, 3, 511_000, NOW_MS);
    progress.position(A, 0, NOW_MS);
    decode(511_000, MANY);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    assertThat(progress.ahead(List.of(A, B), NOW_MS + 30_000)).isEmpty();
  }

  @Test
  void shouldPauseSoonerWhileMuchIsBuffered() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 501_000, NOW_MS);
    decode(501_000, FEW);
    merge.add(0, MAX_BYTES - 1);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    merge.add(0, 1 - MAX_BYTES);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
  }

  @Test
  void shouldPauseForAPartitionOfAnotherInstance() {
    ends(Map.of(A, 20L, B, 20L));
    progress.read(B, 3, 511_000, NOW_MS);
    progress.committed(A, 7, 505_000, NOW_MS);
    decode(511_000, MANY);
    assertThat(progress.ahead(List.of(B), NOW_MS)).containsExactly(B);
    assertThat(progress.ahead(List.of(B), NOW_MS + 30_000)).as("A is stuck").isEmpty();
    progress.committed(A, 9, 510_500, NOW_MS);
    assertThat(progress.ahead(List.of(B), NOW_MS)).isEmpty();
  }

  @Test
  void shouldPauseForAPartitionThatHasMovedAway() {
    ends(Map.of(A, 20L, B, 20L));
    progress.committed(A, 7, 505_000, NOW_MS);
    progress.read(A, 18, 511_000, NOW_MS); // its task ends before it commits
    progress.forget(A);
    progress.read(B, 3, 511_000, NOW_MS);
    decode(511_000, MANY);
    assertThat(progress.ahead(List.of(B), NOW_MS)).containsExactly(B);
  }

  @Test
  void shouldUseTheFurtherOfReadAndCommittedOffsets() {
    ends(Map.of(A, 20L, B, 20L));
    progress.committed(A, 7, 505_000, NOW_MS);
    progress.read(A, 9, 511_000, NOW_MS);
    progress.read(B, 3, 511_000, NOW_MS);
    decode(511_000, MANY);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
  }

  /** The points of {@code count} series. */
  private void decode(long streamTimeMs, int count) {
    progress.decoded(
        streamTimeMs,
        IntStream.range(0, count).mapToObj(i -> new Point("a", 0L, (double) i)).toList());
  }
}
