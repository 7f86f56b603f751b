package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Record times are seconds here, well apart; a point has that of its record, unless it is said. */
class SourceMergeTest {
  private static final long MAX_WAIT_MS = 30_000;
  private static final List<String> SOURCES = List.of("a", "b");

  private EndOffsets ends = EndOffsets.NONE;
  private final SourceMerge merge =
      new SourceMerge(
          SOURCES.stream().map(SourceMergeTest::source).toList(),
          id -> !id.equals(source("gone")),
          MAX_WAIT_MS,
          MemoryAccount.ofEntries(1 + 5),
          () -> ends,
          0);
  private final Map<String, Long> offsets = new HashMap<>();
  private final List<String> left = new ArrayList<>();
  private long sequence;

  private static TopicPartition partition(String source) {
    return new TopicPartition(source, 0);
  }

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(SourceHeaders.id(partition(name)));
  }

  private void add(String source, long frontS) {
    add(source, frontS * 1000, new Point(source + frontS, frontS * 1000, 0.0));
  }

  /** A record with these points is written and arrives. */
  private void add(String source, long streamTimeMs, Point... points) {
    long offset = offsets.merge(source, 1L, Long::sum) - 1;
    merge.add(new Batch(sequence, source(source), offset, streamTimeMs, "", List.of(points)), null);
    merge.reach(source(source), new Progress(offset, streamTimeMs, 0), 0);
    sequence += points.length;
  }

  /** All that is written is decoded, the newest of that time. */
  private void front(String source, long frontS) {
    reach(source, frontS * 1000, 0, 0);
  }

  private void reach(String source, long streamTimeMs, long disorderMs, long nowMs) {
    long position = offsets.getOrDefault(source, 0L);
    merge.reach(source(source), new Progress(position, streamTimeMs, disorderMs), nowMs);
  }

  /** The ends of all that is written are asked for; so many records more of b are not read. */
  private void ask(long askedMs, long unreadOfB) {
    ends =
        new EndOffsets(
            Map.of(
                partition("a"),
                offsets.getOrDefault("a", 0L),
                partition("b"),
                offsets.getOrDefault("b", 0L) + unreadOfB),
            askedMs);
  }

  private int release() {
    return merge.release((batch, index) -> left.add(batch.points().get(index).getIdent()));
  }

  @Test
  void shouldWaitUntilTheFrontOfTheOtherIsPastIt() {
    add("a", 1);
    add("a", 4);
    release();
    assertThat(left).as("b may still bring something").isEmpty();
    add("b", 2);
    add("b", 3);
    release();
    assertThat(left).as("b may still bring something about 3").containsExactly("a1", "b2");
    front("b", 5);
    release();
    assertThat(left).as("a may still bring something about 4").containsExactly("a1", "b2", "b3");
    front("a", 5);
    release();
    assertThat(left).containsExactly("a1", "b2", "b3", "a4");
  }

  @Test
  void shouldAllowForTimesThatAreOutOfOrder() {
    add("a", 1);
    front("a", 99);
    reach("b", 1_499, 0, 0);
    release();
    assertThat(left).isEmpty();
    reach("b", 1_500, 60_000, 0);
    release();
    assertThat(left).as("times of b are a minute out of order").isEmpty();
    reach("b", 61_500, 60_000, 0);
    release();
    assertThat(left).containsExactly("a1");
    assertThat(merge.allowanceMs()).isEqualTo(60_500);
  }

  @Test
  void shouldNotWaitOnceAllIsDecodedThatWasWrittenBefore() {
    add("a", 1);
    front("a", 1);
    front("b", 0);
    ask(1_000, 0);
    release();
    ask(1_499, 0);
    release();
    assertThat(left).as("the older point of a series may be written half a second later").isEmpty();
    ask(1_500, 0);
    release();
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldWaitWhileAnotherIsNotDecodedUpToItsEnd() {
    add("a", 1);
    front("a", 1);
    front("b", 0);
    for (long askedMs = 1_000; askedMs <= 20_000; askedMs += 250) {
      ask(askedMs, 1);
      release();
    }
    assertThat(left).isEmpty();
    add("b", 1);
    front("b", 1);
    release();
    assertThat(left).containsExactlyInAnyOrder("a1", "b1");
  }

  /** In a backlog, b has nothing more. */
  @Test
  void shouldNotWaitForTheFrontOfASourceAtItsEnd() {
    add("a", 1);
    add("a", 9);
    front("b", 0);
    offsets.merge("a", 100L, Long::sum);
    ask(1_000, 0);
    release();
    ask(1_500, 0);
    release();
    assertThat(left).containsExactly("a1");
  }

  /** It was taken from the sources, or is keyed now. */
  @Test
  void shouldNotWaitForASourceThatOnlyLeftSomething() {
    add("gone", 1);
    add("gone", 3);
    add("a", 2);
    front("a", 9);
    front("b", 9);
    release();
    assertThat(left).containsExactly("gone1", "a2", "gone3");
    add("gone", 30);
    ask(1_000, 0);
    release();
    ask(1_500, 0);
    release();
    assertThat(left).containsExactly("gone1", "a2", "gone3", "gone30");
  }

  @Test
  void shouldReleaseASeriesInTheOrderOfItsTimes() {
    add("a", 3_000, new Point("s", 20_000L, 0.0), new Point("other", 1L, 0.0));
    add("b", 3_400, new Point("s", 10_000L, 0.0));
    add("b", 4_000, new Point("s", 15_000L, 0.0));
    front("a", 9);
    front("b", 9);
    List<Long> times = new ArrayList<>();
    merge.release(
        (batch, index) -> {
          Point point = batch.points().get(index);
          if (point.getIdent().equals("s")) {
            times.add(point.getT());
          }
        });
    assertThat(times)
        .as("15 was written more than half a second after 20")
        .containsExactly(10_000L, 20_000L, 15_000L);
  }

  @Test
  void shouldKeepTheOrderOfItsPartitionForASeries() {
    add("a", 1_000, new Point("s", 9_000L, 0.0));
    add("a", 1_100, new Point("s", 1_000L, 0.0));
    add("b", 1_200, new Point("s", 5_000L, 0.0));
    front("a", 9);
    front("b", 9);
    List<Long> times = new ArrayList<>();
    merge.release((batch, index) -> times.add(batch.points().get(index).getT()));
    assertThat(times).containsExactly(5_000L, 9_000L, 1_000L);
  }

  @Test
  void shouldLeaveOutWhatHasLeftBefore() {
    var without = new BitSet();
    without.set(0);
    List<Point> points = List.of(new Point("gone", 1L, 0.0), new Point("here", 1L, 0.0));
    merge.add(new Batch(0, source("a"), 0, 1_000, "", points), without);
    front("a", 9);
    front("b", 9);
    release();
    assertThat(left).containsExactly("here");
  }

  @Test
  void shouldNotWaitForASourceThatDoesNotAdvanceWhileAnotherDoes() {
    add("a", 1);
    for (long nowMs = 1_000; nowMs <= MAX_WAIT_MS; nowMs += 1_000) {
      reach("a", nowMs, 0, nowMs);
      release();
    }
    assertThat(left).isEmpty();
    reach("a", MAX_WAIT_MS + 1, 0, MAX_WAIT_MS + 1);
    release();
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldStillWaitForTheOtherWhenAllWereAway() {
    add("a", 2);
    reach("a", 10_000, 0, 2 * MAX_WAIT_MS);
    release();
    assertThat(left).as("b was away as long as a").isEmpty();
    add("b", 1);
    reach("b", 10_000, 0, 2 * MAX_WAIT_MS);
    release();
    assertThat(left).containsExactly("b1", "a2");
  }

  @Test
  void shouldWaitForASourceThatWasAtItsEndForLong() {
    front("b", 0);
    for (long nowMs = 0; nowMs <= 2 * MAX_WAIT_MS; nowMs += 1_000) {
      reach("a", nowMs, 0, nowMs);
      ask(nowMs, 0);
      release();
    }
    add("a", 70);
    ask(2 * MAX_WAIT_MS + 250, 1);
    reach("a", 99_000, 0, 2 * MAX_WAIT_MS + 250);
    release();
    assertThat(left).as("b has one that may be older").isEmpty();
  }

  @Test
  void shouldWaitForASourceThatIsMetLater() {
    add("c", 1);
    front("c", 2);
    front("a", 9);
    front("b", 9);
    add("a", 5);
    release();
    assertThat(left).containsExactly("c1");
    front("c", 9);
    release();
    assertThat(left).containsExactly("c1", "a5");
  }

  @Test
  void shouldWaitForASourceThatHasAnEnd() {
    add("a", 1);
    front("a", 9);
    front("b", 9);
    ends = new EndOffsets(Map.of(partition("c"), 1L), 1_000);
    release();
    assertThat(left).isEmpty();
  }

  @Test
  void shouldLetAllGoWhenNothingIsMergedAnyMore() {
    add("a", 2);
    add("b", 1);
    merge.releaseAll((batch, index) -> left.add(batch.points().get(index).getIdent()));
    assertThat(left).containsExactly("b1", "a2");
  }

  @Test
  void shouldLetTheFirstGoWhenTooManyWait() {
    for (int written = 1; written <= 6; written++) {
      add("a", written);
    }
    assertThat(release()).as("points that had to leave").isEqualTo(1);
    assertThat(left).containsExactly("a1");
    front("a", 9);
    front("b", 9);
    release();
    assertThat(left).as("the others waited").containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
  }
}
