package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that are made while points flow. One series is sent to any partition that there is,
 * also to one of this very moment, which is read seconds later.
 */
class GrowingSourcesPropertyTest {
  private static final int END_MS = 20_000;
  private static final int RELEASE_MS = 50;
  private static final int READ_MS = 100;

  private final List<Long> left = new ArrayList<>();
  private EndOffsets ends;
  private SourceMerge merge;
  private long sequence;

  @BeforeTry
  void begin() {
    left.clear();
    ends = new EndOffsets(Map.of(), -1);
    merge =
        new SourceMerge(
            List.of(id(0)),
            id -> true,
            120_000,
            MemoryAccount.ofEntries(1 + 1_000_000),
            () -> ends,
            0);
  }

  private static TopicPartition partition(int number) {
    return new TopicPartition("points", number);
  }

  private static ByteBuffer id(int number) {
    return ByteBuffer.wrap(SourceHeaders.id(partition(number)));
  }

  private void add(int partition, long offset, long atMs) {
    merge.add(
        new Batch(sequence++, id(partition), offset, atMs, "", List.of(new Point("s", atMs, 0.0))),
        null);
  }

  private void reach(int partition, long position, long streamTimeMs, long nowMs) {
    merge.reach(id(partition), new Progress(position, streamTimeMs, 0), nowMs);
  }

  /** The partitions are listed, each with its end; then what may leaves. */
  private void ask(long askedMs, long... offsets) {
    Map<TopicPartition, Long> known = new HashMap<>();
    for (int p = 0; p < offsets.length; p++) {
      known.put(partition(p), offsets[p]);
    }
    ends = new EndOffsets(known, askedMs);
    release();
  }

  private void release() {
    merge.release((batch, index) -> left.add(batch.points().get(index).getT()));
  }

  /** The front is far ahead of the batch: only a partition that is made meanwhile can hold it. */
  @Example
  void shouldHoldABatchUntilThePartitionsAreListedAfterIt() {
    ask(1_000, 100);
    add(0, 100, 1_200);
    reach(0, 200, 5_000, 1_200);
    ask(1_300, 999);
    assertThat(left).as("another partition may have been made before it was written").isEmpty();
    ask(1_800, 999);
    assertThat(left).containsExactly(1_200L);
  }

  @Example
  void shouldWaitForAPartitionThatIsListed() {
    ask(1_000, 100);
    add(0, 100, 1_200);
    reach(0, 200, 5_000, 1_200);
    ask(1_300, 999);
    ask(1_800, 999, 1);
    assertThat(left).as("the other holds one").isEmpty();
    add(1, 0, 1_100);
    reach(1, 1, 1_100, 3_000);
    release();
    assertThat(left).containsExactly(1_100L, 1_200L);
  }

  @Property(tries = 100)
  void shouldKeepTheOrderOfASeriesWhateverIsMadeWhen(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1_000) int listEveryMs,
      @ForAll @IntRange(min = 0, max = 5_000) int readLaterMs) {
    Random random = new Random(seed);
    List<Long> madeMs = new ArrayList<>(List.of(0L));
    List<List<Long>> logs = new ArrayList<>(List.of(new ArrayList<>()));
    List<Integer> read = new ArrayList<>(List.of(0));
    List<Long> written = new ArrayList<>();
    long askedMs = 0;
    long[] offsets = {0};
    for (long nowMs = 1; nowMs < END_MS + 30_000; nowMs++) {
      if (nowMs < END_MS && random.nextInt(2_000) == 0) {
        madeMs.add(nowMs);
        logs.add(new ArrayList<>());
        read.add(0);
      }
      if (nowMs < END_MS && random.nextInt(20) == 0) {
        logs.get(random.nextInt(logs.size())).add(nowMs);
        written.add(nowMs);
      }
      if (nowMs % READ_MS == 0) {
        for (int p = 0; p < logs.size(); p++) {
          if (p == 0 || nowMs >= madeMs.get(p) + readLaterMs) { // else no task has it yet
            read.set(p, read(p, logs.get(p), read.get(p), nowMs));
          }
        }
      }
      if (nowMs % RELEASE_MS == 0) {
        release();
      }
      if (nowMs % listEveryMs == 0) { // told when the next one is asked for
        ask(askedMs, offsets);
        askedMs = nowMs;
        offsets = logs.stream().mapToLong(List::size).toArray();
      }
    }
    assertThat(left).containsExactlyElementsOf(written);
  }

  private int read(int partition, List<Long> log, int from, long nowMs) {
    for (int offset = from; offset < log.size(); offset++) {
      add(partition, offset, log.get(offset));
    }
    reach(partition, log.size(), log.isEmpty() ? Long.MIN_VALUE : log.get(log.size() - 1), nowMs);
    return log.size();
  }
}
