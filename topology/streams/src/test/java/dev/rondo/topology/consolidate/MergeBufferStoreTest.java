package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Point;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.state.HeldBytes;
import dev.rondo.topology.state.WriteBackStore;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Batches are named by their only point; the one at t is buffered until the source is decoded to t
 * + 1 s.
 */
class MergeBufferStoreTest {
  private static final byte[] SOURCE = SourceHeaders.id(new TopicPartition("points", 0));

  private final HeldBytes inner = new HeldBytes("buffer");
  private final MergeBufferStore<BufferedSeries> buffer =
      new MergeBufferStore<>(inner, inner, FormatVersion.NEWEST);
  private final List<String> left = new ArrayList<>();
  private final MemoryAccount memory = MemoryAccount.ofEntries(1 + 1_000);

  @BeforeEach
  void open() {
    inner.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), inner);
    load(true, 0);
  }

  private void load(boolean commitsAtomically, int replayEpoch) {
    SourceMerge<BufferedSeries> merge =
        new SourceMerge<>(
            List.of(ByteBuffer.wrap(SOURCE)),
            id -> true,
            30_000,
            new FairMemory(memory),
            () -> EndOffsets.NONE,
            ident -> null,
            new Lag(Clock.systemUTC()),
            0);
    buffer.load(merge, commitsAtomically, replayEpoch);
  }

  private void add(long tMs) {
    buffer.add(SOURCE, tMs, tMs, "", List.of(new Point("p" + tMs, tMs, 1.0)));
  }

  private void release(long completeMs) {
    buffer.reach(SOURCE, new Progress(0, completeMs, 0), 0);
    buffer.release((batch, index, series) -> left.add(batch.points().get(index).getIdent()));
  }

  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    try (var entries = inner.all()) {
      entries.forEachRemaining(entry -> numbers.add(ByteBuffer.wrap(entry.key.get()).getInt()));
    }
    return numbers;
  }

  @Test
  void shouldWriteOnlyBufferedBatchesAtACommit() {
    add(1_000);
    add(5_000);
    release(3_000);
    buffer.flushCache();
    assertThat(left).containsExactly("p1000");
    assertThat(numbers()).hasSize(1);
    load(true, 0);
    release(9_000);
    assertThat(left).containsExactly("p1000", "p5000");
    buffer.flushCache();
    assertThat(numbers()).isEmpty();
  }

  @Test
  void shouldWriteBufferedBatchesTogetherAndMarkReleasedPoints() {
    add(1_000);
    add(5_000);
    add(9_000);
    buffer.flushCache();
    assertThat(numbers()).containsExactly(0);
    release(7_000);
    buffer.flushCache();
    assertThat(numbers()).containsExactly(0, -1);
    load(true, 0);
    release(99_000);
    assertThat(left).containsExactly("p1000", "p5000", "p9000");
  }

  @Test
  void shouldReuseANumberWhosePointsWereAllReleased() {
    add(1_000);
    buffer.flushCache();
    add(2_000);
    buffer.flushCache();
    assertThat(numbers()).containsExactly(0, 1);
    release(3_500);
    add(3_000);
    buffer.flushCache();
    assertThat(numbers()).containsExactly(0, 1);
    load(true, 0);
    add(4_000);
    release(9_000);
    assertThat(left).containsExactly("p1000", "p2000", "p3000", "p4000");
  }

  @Test
  void shouldSplitBatchesThatDoNotFitIntoOneRecord() {
    for (long t = 1; t <= 3; t++) {
      List<Point> points = new ArrayList<>(List.of(new Point("p" + t, t, 1.0)));
      for (int n = 0; n < 10_000; n++) {
        points.add(new Point("a series with a longer name " + n, t, 1.0));
      }
      buffer.add(SOURCE, t, t, "", points);
    }
    buffer.flushCache();
    assertThat(numbers()).containsExactly(0, 1, 2);
    load(true, 0);
    release(9_000);
    assertThat(left).filteredOn(name -> name.startsWith("p")).containsExactly("p1", "p2", "p3");
  }

  @Test
  void shouldRejectBatchesOfAnotherVersion() {
    inner.put(Bytes.wrap(new byte[Integer.BYTES]), new byte[32]);
    assertThatThrownBy(() -> load(true, 0))
        .hasMessage("the merge buffer has format 0; this release reads 1");
  }

  @Test
  void shouldKeepABatchForOneMoreCommitIfCommitsAreNotAtomic() {
    load(false, 0);
    add(1_000);
    buffer.flushCache();
    release(9_000);
    add(20_000);
    buffer.flushCache();
    assertThat(numbers()).as("the slots of 1000 may not be written yet").containsExactly(0, 1);
    add(21_000);
    buffer.flushCache();
    load(false, 0);
    release(99_000);
    assertThat(left).containsExactly("p1000", "p20000", "p21000");
  }

  @Test
  void shouldSkipBatchesFromBeforeAReplay() {
    add(1_000);
    buffer.flushCache();
    load(true, 1);
    release(9_000);
    assertThat(left).isEmpty();
    buffer.flushCache();
    assertThat(numbers()).isEmpty();
  }

  /** However the task ends; see {@link WriteBackStore} for the order of calls. */
  @Test
  void shouldReturnItsMemoryOnce() {
    List<Runnable> ends =
        List.of(buffer::close, buffer::clearCache, () -> load(true, 0), () -> revive(buffer));
    for (Runnable end : ends) {
      add(1_000);
      add(5_000);
      buffer.reach(SOURCE, Progress.NONE, 0);
      assertThat(memory.entries()).isEqualTo(2);
      end.run();
      assertThat(memory.entries()).isZero();
      buffer.close();
      assertThat(memory.entries()).as("given once").isZero();
      open();
    }
  }

  /** As after corrupted state: closed, then opened with the restored state. */
  private void revive(MergeBufferStore<BufferedSeries> store) {
    store.close();
    open();
  }

  @Test
  void shouldCountBufferedPointsOnceWhenItsTaskIsSuspendedAndResumed() {
    add(1_000);
    buffer.flushCache();
    load(true, 0);
    load(true, 0);
    assertThat(memory.entries()).isEqualTo(1);
    release(9_000);
    assertThat(memory.entries()).isZero();
  }
}
