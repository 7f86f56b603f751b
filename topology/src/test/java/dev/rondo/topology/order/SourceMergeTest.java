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
      new SourceMerge(List.of(source("a"), source("b")), MAX_WAIT_MS, 5, 0);
  private final List<String> left = new ArrayList<>();
  private long sequence;

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
  }

  private static Batch batch(long sequence, String source, long writtenS, long pointS) {
    List<Point> points = List.of(new Point(source + writtenS, pointS * 1000, 0.0));
    return new Batch(sequence, source(source), writtenS * 1000, points);
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

  private int release(long nowMs) {
    return merge.release(nowMs, batch -> left.add(batch.points().get(0).getIdent()));
  }

  @Test
  void shouldWaitUntilTheOtherSourceIsCompleteUpToThere() {
    add("a", 1);
    add("a", 4);
    release(0);
    assertThat(left).as("b may still bring something").isEmpty();
    add("b", 2);
    add("b", 3);
    release(0);
    assertThat(left).as("b may still bring something before 4").containsExactly("a1", "b2", "b3");
    complete("b", 5);
    release(0);
    assertThat(left).containsExactly("a1", "b2", "b3", "a4");
  }

  @Test
  void shouldAllowForBatchesThatAreWrittenInAnotherOrderWithinHalfASecond() {
    add("a", 1);
    merge.complete(source("b"), 1_499, 0);
    release(0);
    assertThat(left).isEmpty();
    merge.complete(source("b"), 1_500, 0);
    release(0);
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldOrderByPointsWhatWasWrittenAtAboutTheSameTime() {
    add("a", 3, 30);
    List<Point> earlier = List.of(new Point("b", 20_000L, 0.0));
    merge.add(new Batch(sequence++, source("b"), 3_500, earlier), 0);
    add("b", 4, 10);
    complete("a", 9);
    complete("b", 9);
    release(0);
    assertThat(left).containsExactly("b", "a3", "b4");
  }

  @Test
  void shouldNotOvertakeEarlierPointsThatStillWait() {
    add("a", 1);
    List<Point> later = List.of(new Point("b", 5_000L, 0.0));
    merge.add(new Batch(sequence++, source("b"), 1_100, later), 0);
    complete("a", 9);
    release(0);
    assertThat(left).as("b would be free to go, but a1 has earlier points").isEmpty();
    complete("b", 3);
    release(0);
    assertThat(left).containsExactly("a1", "b");
  }

  @Test
  void shouldKeepTheOrderWithinASourceWhateverItsPoints() {
    add("a", 1, 9);
    add("a", 2, 1);
    add("b", 3, 5);
    complete("a", 9);
    complete("b", 9);
    release(0);
    assertThat(left).containsExactly("a1", "a2", "b3");
  }

  @Test
  void shouldNotWaitForASourceThatDoesNotAdvance() {
    add("a", 1);
    release(MAX_WAIT_MS);
    assertThat(left).isEmpty();
    release(MAX_WAIT_MS + 1);
    assertThat(left).containsExactly("a1");
  }

  @Test
  void shouldWaitForASourceThatIsMetLater() {
    add("c", 1);
    complete("a", 9);
    complete("b", 9);
    add("a", 5);
    release(0);
    assertThat(left).containsExactly("c1");
    complete("c", 9);
    release(0);
    assertThat(left).containsExactly("c1", "a5");
  }

  @Test
  void shouldLetTheFirstGoWhenTooManyWait() {
    for (int written = 1; written <= 6; written++) {
      add("a", written);
    }
    assertThat(release(0)).as("points that had to leave").isEqualTo(1);
    assertThat(left).containsExactly("a1");
    complete("b", 9);
    release(0);
    assertThat(left).as("the others waited").containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
  }

  @Test
  void shouldNotWaitWhereThereIsOneSource() {
    SourceMerge one = new SourceMerge(List.of(source("a")), MAX_WAIT_MS, 5, 0);
    one.add(batch(0, "a", 1, 1), 0);
    one.release(0, batch -> left.add("left"));
    assertThat(left).hasSize(1);
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
    SourceMerge any = new SourceMerge(ids, MAX_WAIT_MS, 1_000, 0);
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
      any.release(0, batch -> out.add(batch.writtenMs()));
    }
    ids.forEach(id -> any.complete(id, Long.MAX_VALUE, 0));
    any.release(0, batch -> out.add(batch.writtenMs()));
    assertThat(out).hasSameSizeAs(sources).isSorted();
  }
}
