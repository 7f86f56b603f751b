package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Record times are whole seconds; a point has the time of its record unless given otherwise. */
class SourceMergeTest {
  private static final long MAX_WAIT_MS = 30_000;
  private static final List<String> SOURCES = List.of("a", "b");

  private EndOffsets ends = EndOffsets.NONE;
  private final SourceMerge<BufferedSeries> merge =
      new SourceMerge<>(
          SOURCES.stream().map(SourceMergeTest::source).toList(),
          id -> !id.equals(source("removed")),
          MAX_WAIT_MS,
          new FairMemory(MemoryAccount.ofEntries(1 + 5)),
          () -> ends,
          ident -> null,
          new Lag(Clock.systemUTC()),
          0);
  private final Map<String, Long> offsets = new HashMap<>();
  private final List<String> released = new ArrayList<>();
  private long sequence;

  private static TopicPartition partition(String source) {
    return new TopicPartition(source, 0);
  }

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(SourceHeaders.id(partition(name)));
  }

  private void add(String source, long recordS) {
    add(source, recordS * 1000, new Point(source + recordS, recordS * 1000, 0.0));
  }

  /** Writes and reads a record with these points. */
  private void add(String source, long streamTimeMs, Point... points) {
    long offset = offsets.merge(source, 1L, Long::sum) - 1;
    merge.add(new Batch(sequence, source(source), offset, streamTimeMs, "", List.of(points)), null);
    merge.reach(source(source), new Progress(offset, streamTimeMs, 0), 0);
    sequence += points.length;
  }

  /** Reports that all records are decoded, up to this stream time. */
  private void reachEnd(String source, long streamTimeS) {
    reach(source, streamTimeS * 1000, 0, 0);
  }

  private void reach(String source, long streamTimeMs, long disorderMs, long nowMs) {
    long position = offsets.getOrDefault(source, 0L);
    merge.reach(source(source), new Progress(position, streamTimeMs, disorderMs), nowMs);
  }

  /** Fetches the end offsets of all records; {@code unreadOfB} more records of b are not read. */
  private void fetchEnds(long requestedMs, long unreadOfB) {
    ends =
        new EndOffsets(
            Map.of(
                partition("a"),
                offsets.getOrDefault("a", 0L),
                partition("b"),
                offsets.getOrDefault("b", 0L) + unreadOfB),
            requestedMs);
  }

  private int release() {
    return merge.release(
        (batch, index, series) -> released.add(batch.points().get(index).getIdent()));
  }

  @Test
  void shouldReleaseABatchOnceOtherStreamTimesArePastIt() {
    add("a", 10);
    add("a", 40);
    release();
    assertThat(released).as("b may still deliver an older point").isEmpty();
    add("b", 20);
    add("b", 30);
    release();
    assertThat(released)
        .as("b may still deliver a point of about 30 s")
        .containsExactly("a10", "b20");
    reachEnd("b", 50);
    release();
    assertThat(released)
        .as("a may still deliver a point of about 40 s")
        .containsExactly("a10", "b20", "b30");
    reachEnd("a", 50);
    release();
    assertThat(released).containsExactly("a10", "b20", "b30", "a40");
  }

  @Test
  void shouldAllowForTimesThatAreOutOfOrder() {
    add("a", 1);
    reachEnd("a", 99);
    reach("b", 2_999, 0, 0);
    release();
    assertThat(released).isEmpty();
    reach("b", 3_000, 60_000, 0);
    release();
    assertThat(released).as("times of b are a minute out of order").isEmpty();
    reach("b", 63_000, 60_000, 0);
    release();
    assertThat(released).containsExactly("a1");
    assertThat(merge.allowanceMs()).isEqualTo(62_000);
  }

  /** A broker stalled for 669 ms while many points of each series were sent. */
  @Test
  void shouldWaitInABacklogForRecordsThatWereWrittenMuchLater() {
    add("a", 1_000, new Point("s", 20_000L, 0.0));
    add("b", 1_000, new Point("other", 20_000L, 0.0));
    add("b", 1_669, new Point("s", 10_000L, 0.0));
    reachEnd("a", 9);
    release();
    assertThat(released).as("b may still deliver an older point").isEmpty();
    reachEnd("b", 9);
    release();
    assertThat(released).containsExactlyInAnyOrder("s", "s", "other");
  }

  @Test
  void shouldNotWaitOnceAllEarlierRecordsAreDecoded() {
    add("a", 1);
    reachEnd("a", 1);
    reachEnd("b", 0);
    fetchEnds(1_000, 0);
    release();
    fetchEnds(1_499, 0);
    release();
    assertThat(released)
        .as("the older point of a series may be written half a second later")
        .isEmpty();
    fetchEnds(1_500, 0);
    release();
    assertThat(released).containsExactly("a1");
  }

  @Test
  void shouldWaitWhileAnotherIsNotDecodedUpToItsEnd() {
    add("a", 1);
    reachEnd("a", 1);
    reachEnd("b", 0);
    for (long requestedMs = 1_000; requestedMs <= 20_000; requestedMs += 250) {
      fetchEnds(requestedMs, 1);
      release();
    }
    assertThat(released).isEmpty();
    add("b", 1);
    reachEnd("b", 1);
    release();
    assertThat(released).containsExactlyInAnyOrder("a1", "b1");
  }

  @Test
  void shouldReturnTheAwaitedSource() {
    assertThat(merge.heldBack()).isNull();
    add("a", 1);
    reachEnd("a", 1);
    reachEnd("b", 0);
    for (long requestedMs = 1_000; requestedMs <= 2_000; requestedMs += 250) {
      fetchEnds(requestedMs, 1);
      release();
    }
    assertThat(merge.heldBack()).isEqualTo(new Arrival(partition("b"), 1_000));
    assertThat(merge.buffered()).containsExactly(new Arrival(partition("a"), 1_000));
    add("b", 1);
    reachEnd("b", 1);
    release();
    assertThat(merge.heldBack()).isNull();
    assertThat(merge.buffered()).isEmpty();
  }

  @Test
  void shouldNotAwaitASourceWithNothingToRead() {
    add("a", 1);
    reachEnd("a", 1);
    reachEnd("b", 0);
    fetchEnds(1_000, 0);
    release();
    assertThat(merge.heldBack()).as("waits for half a second to pass").isNull();
  }

  /** In a backlog, b has no more records. */
  @Test
  void shouldNotWaitForTheStreamTimeOfASourceAtItsEnd() {
    add("a", 1);
    add("a", 9);
    reachEnd("b", 0);
    offsets.merge("a", 100L, Long::sum);
    fetchEnds(1_000, 0);
    release();
    fetchEnds(1_500, 0);
    release();
    assertThat(released).containsExactly("a1");
  }

  /** The source was removed from the settings, or is keyed now. */
  @Test
  void shouldNotWaitForASourceThatIsNoLongerRead() {
    add("removed", 1);
    add("removed", 3);
    add("a", 2);
    reachEnd("a", 9);
    reachEnd("b", 9);
    release();
    assertThat(released).containsExactly("removed1", "a2", "removed3");
    add("removed", 30);
    fetchEnds(1_000, 0);
    release();
    fetchEnds(1_500, 0);
    release();
    assertThat(released).containsExactly("removed1", "a2", "removed3", "removed30");
  }

  /** The topic was recreated: the new log ends before the offsets of the previous one. */
  @Test
  void shouldNotWaitForTheEndOfAPreviousLog() {
    add("a", 1);
    add("a", 2);
    add("a", 3);
    offsets.put("a", 0L);
    add("a", 4);
    reachEnd("a", 4);
    reachEnd("b", 0);
    fetchEnds(1_000, 0);
    release();
    fetchEnds(1_500, 0);
    release();
    assertThat(released).containsExactly("a1", "a2", "a3", "a4");
  }

  /** Without exactly-once, records are reread after a crash. */
  @Test
  void shouldStillWaitForOthersWhenRecordsAreReread() {
    reachEnd("a", 0);
    reachEnd("b", 0);
    fetchEnds(0, 0);
    release();
    fetchEnds(500, 0);
    release();
    add("a", 10_000, new Point("s", 10_000L, 0.0));
    add("a", 12_000, new Point("s", 12_000L, 0.0));
    reachEnd("a", 12);
    reachEnd("b", 0);
    for (long requestedMs = 1_000; requestedMs <= 2_000; requestedMs += 250) {
      fetchEnds(requestedMs, 1);
      release();
    }
    assertThat(released).as("b is not decoded").isEmpty();

    offsets.put("a", 0L);
    add("a", 10_000, new Point("s", 10_000L, 0.0));
    release();
    assertThat(released).as("b is not decoded").isEmpty();

    add("b", 11_000, new Point("older", 11_000L, 0.0));
    add("a", 12_000, new Point("s", 12_000L, 0.0));
    reachEnd("a", 12);
    reachEnd("b", 11);
    release();
    assertThat(released).containsExactlyInAnyOrder("s", "s", "s", "s", "older");
  }

  /** The topic was deleted; its progress is unknown, as the merge has loaded the batch. */
  @Test
  void shouldNotWaitForASourceThatIsNoLongerListed() {
    Point point = new Point("gone1", 1_000L, 0.0);
    merge.add(new Batch(sequence++, source("gone"), 7, 1_000, "", List.of(point)), null);
    add("a", 2);
    reachEnd("a", 9);
    reachEnd("b", 9);
    for (long requestedMs = 1_000; requestedMs <= 3_000; requestedMs += 250) {
      fetchEnds(requestedMs, 0);
      release();
    }
    assertThat(released).containsExactlyInAnyOrder("gone1", "a2");
  }

  @Test
  void shouldReleaseASeriesInTimeOrder() {
    add("a", 3_000, new Point("s", 20_000L, 0.0), new Point("other", 1L, 0.0));
    add("b", 4_900, new Point("s", 10_000L, 0.0));
    add("b", 5_500, new Point("s", 15_000L, 0.0));
    reachEnd("a", 9);
    reachEnd("b", 9);
    List<Long> times = new ArrayList<>();
    merge.release(
        (batch, index, series) -> {
          Point point = batch.points().get(index);
          if (point.getIdent().equals("s")) {
            times.add(point.getT());
          }
        });
    assertThat(times)
        .as("15 was written more than two seconds after 20")
        .containsExactly(10_000L, 20_000L, 15_000L);
  }

  @Test
  void shouldKeepTheOrderOfItsPartitionForASeries() {
    add("a", 1_000, new Point("s", 9_000L, 0.0));
    add("a", 1_100, new Point("s", 1_000L, 0.0));
    add("b", 1_200, new Point("s", 5_000L, 0.0));
    reachEnd("a", 9);
    reachEnd("b", 9);
    List<Long> times = new ArrayList<>();
    merge.release((batch, index, series) -> times.add(batch.points().get(index).getT()));
    assertThat(times).containsExactly(5_000L, 9_000L, 1_000L);
  }

  @Test
  void shouldSkipPointsThatWereReleasedBefore() {
    var releasedBefore = new BitSet();
    releasedBefore.set(0);
    List<Point> points = List.of(new Point("removed", 1L, 0.0), new Point("here", 1L, 0.0));
    merge.add(new Batch(0, source("a"), 0, 1_000, "", points), releasedBefore);
    reachEnd("a", 9);
    reachEnd("b", 9);
    release();
    assertThat(released).containsExactly("here");
  }

  @Test
  void shouldNotWaitForASourceThatDoesNotAdvanceWhileAnotherDoes() {
    add("a", 1);
    for (long nowMs = 1_000; nowMs <= MAX_WAIT_MS; nowMs += 1_000) {
      reach("a", nowMs, 0, nowMs);
      release();
    }
    assertThat(released).isEmpty();
    reach("a", MAX_WAIT_MS + 1, 0, MAX_WAIT_MS + 1);
    release();
    assertThat(released).containsExactly("a1");
  }

  /** The end of b is unknown, and b has records that the last known end does not include. */
  @Test
  void shouldWaitOnlyBrieflyForASourceWithoutALeader() {
    fetchEnds(0, 0);
    add("a", 1);
    reachEnd("a", 1);
    long nowMs = 1_000;
    for (; nowMs <= MAX_WAIT_MS; nowMs += 1_000) {
      reach("a", 1_000, 0, nowMs);
      fetchEndsWithoutB(nowMs);
      release();
    }
    assertThat(released).isEmpty();
    assertThat(merge.heldBack()).isEqualTo(new Arrival(partition("b"), 1_000));
    assertThat(merge.awaited()).containsExactly(partition("b"));
    for (long untilMs = nowMs + 3_000; nowMs <= untilMs; nowMs += 1_000) {
      reach("a", 1_000, 0, nowMs);
      fetchEndsWithoutB(nowMs);
      release();
    }
    assertThat(released).containsExactly("a1");

    add("a", 3);
    reachEnd("a", 3);
    for (long untilMs = nowMs + 3_000; nowMs <= untilMs; nowMs += 1_000) {
      fetchEnds(nowMs, 1);
      reach("b", 1_000, 0, nowMs);
      release();
    }
    assertThat(released).as("b is read again").containsExactly("a1");
    add("b", 2);
    reachEnd("b", 2);
    release();
    assertThat(released).containsExactly("a1", "b2", "a3");
  }

  private void fetchEndsWithoutB(long requestedMs) {
    fetchEnds(requestedMs, 0);
    ends = ends.with(Set.of(partition("b")), ends);
  }

  @Test
  void shouldStillWaitForTheOtherWhenAllWereDown() {
    add("a", 2);
    reach("a", 10_000, 0, 2 * MAX_WAIT_MS);
    release();
    assertThat(released).as("b was down as long as a").isEmpty();
    add("b", 1);
    reach("b", 10_000, 0, 2 * MAX_WAIT_MS);
    release();
    assertThat(released).containsExactly("b1", "a2");
  }

  @Test
  void shouldWaitForASourceThatWasAtItsEndForLong() {
    reachEnd("b", 0);
    for (long nowMs = 0; nowMs <= 2 * MAX_WAIT_MS; nowMs += 1_000) {
      reach("a", nowMs, 0, nowMs);
      fetchEnds(nowMs, 0);
      release();
    }
    add("a", 70);
    fetchEnds(2 * MAX_WAIT_MS + 250, 1);
    reach("a", 99_000, 0, 2 * MAX_WAIT_MS + 250);
    release();
    assertThat(released).as("b has an unread record that may be older").isEmpty();
  }

  @Test
  void shouldWaitForASourceThatIsFirstSeenLater() {
    add("c", 1);
    reachEnd("c", 3);
    reachEnd("a", 9);
    reachEnd("b", 9);
    add("a", 5);
    release();
    assertThat(released).containsExactly("c1");
    reachEnd("c", 9);
    release();
    assertThat(released).containsExactly("c1", "a5");
  }

  @Test
  void shouldWaitForASourceThatHasAnEndOffset() {
    add("a", 1);
    reachEnd("a", 9);
    reachEnd("b", 9);
    ends = new EndOffsets(Map.of(partition("c"), 1L), 1_000);
    release();
    assertThat(released).isEmpty();
  }

  @Test
  void shouldReleaseAllBufferedPoints() {
    add("a", 2);
    add("b", 1);
    merge.releaseAll((batch, index, series) -> released.add(batch.points().get(index).getIdent()));
    assertThat(released).containsExactly("b1", "a2");
  }

  @Test
  void shouldEvictTheFirstBatchWhenTheMemoryIsFull() {
    for (int written = 1; written <= 6; written++) {
      add("a", written);
    }
    assertThat(release()).as("evicted points").isEqualTo(1);
    assertThat(released).containsExactly("a1");
    reachEnd("a", 9);
    reachEnd("b", 9);
    release();
    assertThat(released)
        .as("the others stayed buffered")
        .containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
  }

  @Test
  void shouldEvictPointsOfTheTopicThatExceedsItsShare() {
    add("a", 1);
    for (int written = 2; written <= 6; written++) {
      add("b", written);
    }
    assertThat(release()).as("evicted points").isEqualTo(1);
    assertThat(released).containsExactly("b2");
  }
}
