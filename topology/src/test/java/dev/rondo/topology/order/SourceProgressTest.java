package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceProgressTest {
  private static final TopicPartition A = new TopicPartition("points", 0);
  private static final TopicPartition B = new TopicPartition("points", 1);
  private static final long NOW_MS = 1_000_000;

  private final WaitingRoom room = WaitingRoom.of(10);
  private final SourceProgress progress = new SourceProgress(room);

  @Test
  void shouldBeCompleteUpToTheLastRecordDecodedWhileThereIsMore() {
    progress.ends(Map.of(A, 11L), NOW_MS);
    progress.read(A, 9, 500_000, NOW_MS);
    assertThat(progress.completeMs(A, 4, 400_000)).isEqualTo(400_000);
    assertThat(progress.completeMs(A, 9, 500_000)).isEqualTo(500_000);
  }

  @Test
  void shouldBeCompleteUpToTheQuestionAtTheEndOnceAllThatWasReadIsDecoded() {
    progress.ends(Map.of(A, 10L), NOW_MS - 50);
    progress.read(A, 9, 500_000, NOW_MS);
    assertThat(progress.completeMs(A, 8, 400_000)).isEqualTo(400_000);
    assertThat(progress.completeMs(A, 9, 500_000)).isEqualTo(NOW_MS - 50);
  }

  @Test
  void shouldBeCompleteBehindAGapAtTheEnd() {
    progress.ends(Map.of(A, 11L), NOW_MS);
    progress.read(A, 9, 500_000, NOW_MS);
    progress.position(A, 11, NOW_MS);
    assertThat(progress.completeMs(A, 9, 500_000)).isEqualTo(NOW_MS);
  }

  @Test
  void shouldBeCompleteWhereThereIsNothingToRead() {
    progress.ends(Map.of(A, 7L), NOW_MS);
    assertThat(progress.completeMs(A, -1, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    progress.position(A, 7, NOW_MS);
    assertThat(progress.completeMs(A, -1, Long.MIN_VALUE)).isEqualTo(NOW_MS);
  }

  @Test
  void shouldSayNothingOfAPartitionThatIsBegunAnewOrWhoseEndIsNotKnown() {
    progress.read(A, 9, 500_000, NOW_MS);
    assertThat(progress.completeMs(A, 9, 500_000)).isEqualTo(500_000);
    progress.ends(Map.of(A, 10L), NOW_MS);
    progress.begin(A);
    assertThat(progress.completeMs(A, -1, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldHoldBackWhatIsFarAheadOfAPartitionWithMoreToRead() {
    progress.ends(Map.of(A, 20L, B, 20L), NOW_MS);
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 511_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    progress.read(A, 19, 500_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).as("A has nothing more").isEmpty();
  }

  @Test
  void shouldHoldBackForAPartitionThatHasNotBegunUnlessItIsStuck() {
    progress.ends(Map.of(A, 20L, B, 20L), NOW_MS);
    progress.read(B, 3, 511_000, NOW_MS);
    progress.position(A, 0, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    assertThat(progress.ahead(List.of(A, B), NOW_MS + 30_000)).isEmpty();
  }

  @Test
  void shouldHoldBackSoonerWhileMuchWaits() {
    progress.ends(Map.of(A, 20L, B, 20L), NOW_MS);
    progress.read(A, 9, 500_000, NOW_MS);
    progress.read(B, 3, 501_000, NOW_MS);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
    Batch batch = new Batch(0, ByteBuffer.allocate(0), 0, "", List.of(new Point("p", 1_000L, 1.0)));
    for (int n = 0; n < 6; n++) {
      room.take(batch);
    }
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).containsExactly(B);
    room.give(batch);
    assertThat(progress.ahead(List.of(A, B), NOW_MS)).isEmpty();
  }
}
