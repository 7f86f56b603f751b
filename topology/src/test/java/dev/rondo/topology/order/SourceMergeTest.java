package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Times of writing are in seconds here, well apart; a point has the time of its writing. */
class SourceMergeTest {
  private static final long MAX_WAIT_MS = 30_000;

  private final SourceMerge merge =
      new SourceMerge(
          List.of(source("a"), source("b")),
          id -> !id.equals(source("gone")),
          MAX_WAIT_MS,
          WaitingRoom.of(5),
          0);
  private final List<String> left = new ArrayList<>();
  private long sequence;

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
  }

  private static Batch batch(long sequence, String source, long writtenS, long pointS) {
    List<Point> points = List.of(new Point(source + writtenS, pointS * 1000, 0.0));
    return new Batch(sequence, source(source), writtenS * 1000, "", points);
  }

  private void add(String source, long writtenS) {
    add(source, writtenS, writtenS);
  }

  private void add(String source, long writtenS, long pointS) {
    merge.add(batch(sequence++, source, writtenS, pointS), 0);
  }

  private void complete(String source, long untilS) {
    merge.complete(source(source), untilS * 1000, 0);
  }

  private int release() {
    return merge.release(batch -> left.add(batch.points().get(0).getIdent()));
  }

  @Test
  void shouldWaitUntilTheOtherSourceIsCompleteUpToThere() {
    add("a", 1);
    add("a", 4);
    release();
    assertThat(left).as("b may still bring something").isEmpty();
    add("b", 2);
    add("b", 3);
    release();
    assertThat(left).as("b may still bring something about 3").containsExactly("a1", "b2");
    complete("b", 5);
    release();
    assertThat(left).as("a may still bring something about 4").containsExactly("a1", "b2", "b3");
    complete("a", 5);
    release();
    assertThat(left).containsExactly("a1", "b2", "b3", "a4");
  }

  /** It was taken from the sources, or is keyed now. */
  @Test
  void shouldNotWaitForASourceThatOnlyLeftSomething() {
    add("gone", 1);
    add("gone", 3);
    add("a", 2);
    complete("a", 9);
    complete("b", 9);
    release();
    assertThat(left).containsExactly("gone1", "a2", "gone3");
  }

  @Test
  void shouldAllowForBatchesThatAreWrittenInAnotherOrderWithinHalfASecond() {
    add("a", 1);
    complete("a", 9);
    merge.complete(source("b"), 1_499, 0);
    release();
    assertThat(left).isEmpty();
    merge.complete(source("b"), 1_500, 0);
    release();
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldOrderByPointsWhatWasWrittenAtAboutTheSameTime() {
    add("a", 3, 30);
    List<Point> earlier = List.of(new Point("b", 20_000L, 0.0));
    merge.add(new Batch(sequence++, source("b"), 3_500, "", earlier), 0);
    add("b", 4, 10);
    complete("a", 9);
    complete("b", 9);
    release();
    assertThat(left).containsExactly("b", "a3", "b4");
  }

  @Test
  void shouldNotOvertakeEarlierPointsThatStillWait() {
    add("a", 1);
    List<Point> later = List.of(new Point("b", 5_000L, 0.0));
    merge.add(new Batch(sequence++, source("b"), 1_100, "", later), 0);
    complete("a", 9);
    release();
    assertThat(left).as("b would be free to go, but a1 has earlier points").isEmpty();
    complete("b", 3);
    release();
    assertThat(left).containsExactly("a1", "b");
  }

  @Test
  void shouldKeepTheOrderWithinASourceWhateverItsPoints() {
    add("a", 1, 9);
    add("a", 2, 1);
    add("b", 3, 5);
    complete("a", 9);
    complete("b", 9);
    release();
    assertThat(left).containsExactly("a1", "a2", "b3");
  }

  @Test
  void shouldNotWaitForASourceThatDoesNotAdvanceWhileAnotherDoes() {
    add("a", 1);
    for (long nowMs = 1_000; nowMs <= MAX_WAIT_MS; nowMs += 1_000) {
      merge.complete(source("a"), nowMs, nowMs);
      release();
    }
    assertThat(left).isEmpty();
    merge.complete(source("a"), MAX_WAIT_MS, MAX_WAIT_MS + 1);
    release();
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldStillWaitForTheOtherWhenAllWereAway() {
    add("a", 2);
    merge.complete(source("a"), 10_000, 2 * MAX_WAIT_MS);
    release();
    assertThat(left).as("b was away as long as a").isEmpty();
    merge.add(batch(sequence++, "b", 1, 1), 2 * MAX_WAIT_MS);
    merge.complete(source("b"), 10_000, 2 * MAX_WAIT_MS);
    release();
    assertThat(left).containsExactly("b1", "a2");
  }

  /** One collector sent 1, then 2; another one, whose clock is ahead, sent 100 before. */
  @Test
  void shouldNotLetAFastClockHideEarlierPoints() {
    merge.add(batch(sequence++, "a", 10, 100), 0);
    merge.add(
        new Batch(sequence++, source("a"), 10_020, "", List.of(new Point("s", 1_000L, 1.0))), 0);
    merge.add(
        new Batch(sequence++, source("b"), 10_040, "", List.of(new Point("s", 2_000L, 2.0))), 0);
    complete("a", 20);
    complete("b", 20);
    List<Double> values = new ArrayList<>();
    merge.release(batch -> values.add(batch.points().get(0).getV()));
    assertThat(values).containsExactly(1.0, 2.0, 0.0);
  }

  /** A relay catches up: it sends the points of several hosts in a record, one after the other. */
  @Test
  void shouldNotLetARecordOvertakeAnEarlierOneOfItsSourceThatHoldsTheSameSeries() {
    List<Point> first = List.of(new Point("fast", 30_000L, 0.0), new Point("s", 10_000L, 1.0));
    List<Point> second = List.of(new Point("s", 20_000L, 2.0), new Point("fast", 40_000L, 0.0));
    merge.add(new Batch(sequence++, source("a"), 10_000, "", first), 0);
    merge.add(new Batch(sequence++, source("a"), 10_100, "", second), 0);
    complete("a", 20);
    complete("b", 20);
    List<Double> ofS = new ArrayList<>();
    merge.release(
        batch ->
            batch.points().stream()
                .filter(point -> point.getIdent().equals("s"))
                .forEach(point -> ofS.add(point.getV())));
    assertThat(ofS).containsExactly(1.0, 2.0);
  }

  @Test
  void shouldLetAllGoWhenNothingIsMergedAnyMore() {
    add("a", 2);
    add("b", 1);
    merge.releaseAll(batch -> left.add(batch.points().get(0).getIdent()));
    assertThat(left).containsExactly("b1", "a2");
  }

  @Test
  void shouldWaitForASourceThatIsMetLater() {
    add("c", 1);
    complete("c", 2);
    complete("a", 9);
    complete("b", 9);
    add("a", 5);
    release();
    assertThat(left).containsExactly("c1");
    complete("c", 9);
    release();
    assertThat(left).containsExactly("c1", "a5");
  }

  @Test
  void shouldLetTheFirstGoWhenTooManyWait() {
    for (int written = 1; written <= 6; written++) {
      add("a", written);
    }
    assertThat(release()).as("points that had to leave").isEqualTo(1);
    assertThat(left).containsExactly("a1");
    complete("a", 9);
    complete("b", 9);
    release();
    assertThat(left).as("the others waited").containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
  }

  @Test
  void shouldOrderASourceTheSameHoweverFastItIsRead() {
    complete("b", 9);
    add("a", 1, 7);
    release();
    List<Point> earlier = List.of(new Point("earlier", 6_000L, 0.0));
    merge.add(new Batch(sequence++, source("a"), 1_400, "", earlier), 0);
    complete("a", 2);
    release();
    assertThat(left).containsExactly("earlier", "a1");
  }

  /** Any interleaving of four sources, released at any moments, leaves in the order of writing. */
  @Property
  void shouldUndoAnyInterleaving(
      @ForAll @Size(max = 40) List<@IntRange(max = 3) Integer> sources, @ForAll long seed) {
    List<List<Integer>> bySource = new ArrayList<>();
    List<ByteBuffer> ids = new ArrayList<>();
    for (int s = 0; s <= 3; s++) {
      bySource.add(new ArrayList<>());
      ids.add(source("s" + s));
    }
    for (int written = 0; written < sources.size(); written++) {
      bySource.get(sources.get(written)).add(written);
    }
    SourceMerge any = new SourceMerge(ids, id -> true, MAX_WAIT_MS, WaitingRoom.of(1_000), 0);
    List<Long> out = new ArrayList<>();
    Random random = new Random(seed);
    long n = 0;
    while (bySource.stream().anyMatch(list -> !list.isEmpty())) {
      List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
      Collections.shuffle(order, random);
      int s = order.get(0);
      if (!bySource.get(s).isEmpty()) {
        int written = bySource.get(s).remove(0);
        any.add(batch(n++, "s" + s, written, written), 0);
      }
      any.release(batch -> out.add(batch.writtenMs()));
    }
    ids.forEach(id -> any.complete(id, Long.MAX_VALUE, 0));
    any.release(batch -> out.add(batch.writtenMs()));
    assertThat(out).hasSameSizeAs(sources).isSorted();
  }

  /** So that a replay sees what was seen at first: also of two points of one time the same one. */
  @Property
  void shouldGiveOneOrderHoweverFastEachSourceIsRead(
      @ForAll @Size(max = 30) List<@IntRange(max = 2) Integer> sources,
      @ForAll @Size(value = 30) List<@IntRange(max = 9) Integer> steps,
      @ForAll @Size(value = 30) List<@IntRange(max = 3) Integer> pointTimes,
      @ForAll long seed) {
    List<List<Batch>> bySource = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    long writtenMs = 0;
    for (int n = 0; n < sources.size(); n++) {
      writtenMs += 100L * Math.max(0, steps.get(n) - 5);
      List<Point> points = List.of(new Point("p" + n % 3, pointTimes.get(n) * 1000L, (double) n));
      bySource
          .get(sources.get(n))
          .add(new Batch(0, source("s" + sources.get(n)), writtenMs, "", points));
    }
    Random random = new Random(seed);
    List<Double> order = readAtAnyPace(bySource, random);
    assertThat(order).isEqualTo(readAtAnyPace(bySource, random));
    for (int k = 0; k < 9; k++) {
      int source = k / 3;
      int series = k % 3;
      assertThat(order)
          .as("a series keeps the order of its partition")
          .filteredOn(n -> sources.get(n.intValue()) == source && n.intValue() % 3 == series)
          .isSorted();
    }
  }

  private static List<Double> readAtAnyPace(List<List<Batch>> bySource, Random random) {
    List<ByteBuffer> ids = List.of(source("s0"), source("s1"), source("s2"));
    SourceMerge any = new SourceMerge(ids, id -> true, MAX_WAIT_MS, WaitingRoom.of(1_000), 0);
    List<Double> out = new ArrayList<>();
    int[] read = new int[3];
    long sequence = 0;
    for (int left = bySource.stream().mapToInt(List::size).sum(); left > 0; ) {
      int s = random.nextInt(3);
      if (read[s] < bySource.get(s).size()) {
        Batch batch = bySource.get(s).get(read[s]++);
        any.add(new Batch(sequence++, batch.source(), batch.writtenMs(), "", batch.points()), 0);
        left--;
      }
      any.release(batch -> out.add(batch.points().get(0).getV()));
    }
    ids.forEach(id -> any.complete(id, Long.MAX_VALUE, 0));
    any.release(batch -> out.add(batch.points().get(0).getV()));
    return out;
  }
}
