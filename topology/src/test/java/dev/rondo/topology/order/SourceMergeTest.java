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

class SourceMergeTest {
  private final SourceMerge merge = new SourceMerge();
  private final List<String> left = new ArrayList<>();
  private long sequence;

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
  }

  private void add(String source, long pointMs, long dueMs) {
    List<Point> points = List.of(new Point(source + pointMs, pointMs, 0.0));
    merge.add(new Batch(sequence++, source(source), dueMs, points));
  }

  private void release(long nowMs) {
    merge.release(nowMs, batch -> left.add(batch.points().get(0).getIdent()));
  }

  @Test
  void shouldHandOnInTheOrderOfPoints() {
    add("a", 1, 10);
    add("a", 4, 10);
    add("a", 5, 10);
    add("b", 2, 10);
    add("b", 3, 10);
    add("b", 6, 10);
    release(9);
    assertThat(left).isEmpty();
    release(10);
    assertThat(left).containsExactly("a1", "b2", "b3", "a4", "a5", "b6");
  }

  @Test
  void shouldLetGoOfWhatIsDueAndOfWhatGoesBeforeItAlone() {
    add("a", 5, 10);
    add("b", 3, 20);
    add("b", 7, 20);
    release(10);
    assertThat(left).containsExactly("b3", "a5");
    assertThat(merge.waiting()).extracting(Batch::firstMs).containsExactly(7L);
  }

  @Test
  void shouldKeepTheOrderWithinASourcePartitionWhateverItsTimes() {
    add("a", 9, 10);
    add("a", 1, 10);
    add("b", 5, 10);
    release(10);
    assertThat(left).containsExactly("b5", "a9", "a1");
  }

  @Property
  void shouldUndoAnyInterleaving(
      @ForAll @Size(max = 40) List<@IntRange(max = 3) Integer> sources, @ForAll long seed) {
    List<List<Integer>> bySource = new ArrayList<>();
    for (int s = 0; s <= 3; s++) {
      bySource.add(new ArrayList<>());
    }
    for (int written = 0; written < sources.size(); written++) {
      bySource.get(sources.get(written)).add(written);
    }
    SourceMerge any = new SourceMerge();
    List<Long> out = new ArrayList<>();
    Random random = new Random(seed);
    long n = 0;
    while (bySource.stream().anyMatch(list -> !list.isEmpty())) {
      List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
      Collections.shuffle(order, random);
      for (int s : order) {
        if (!bySource.get(s).isEmpty()) {
          int written = bySource.get(s).remove(0);
          List<Point> points = List.of(new Point("p", (long) written, 0.0));
          any.add(new Batch(n++, source("s" + s), 1, points));
        }
      }
    }
    any.release(1, batch -> out.add(batch.firstMs()));
    assertThat(out).hasSameSizeAs(sources).isSorted();
  }
}
