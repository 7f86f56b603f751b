package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.time.Clock;
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
 * Creates partitions while points flow. The points of one series go to any partition, also to one
 * that was just created and is read only seconds later.
 */
class GrowingSourcesPropertyTest {
  private static final int END_MS = 20_000;
  private static final int RELEASE_MS = 50;
  private static final int READ_MS = 100;

  private final List<Long> released = new ArrayList<>();
  private EndOffsets ends;
  private SourceMerge<BufferedSeries> merge;
  private long sequence;

  @BeforeTry
  void begin() {
    released.clear();
    ends = new EndOffsets(Map.of(), -1);
    merge =
        new SourceMerge<>(
            List.of(id(0)),
            id -> true,
            120_000,
            new FairMemory(MemoryAccount.ofEntries(1 + 1_000_000)),
            () -> ends,
            ident -> null,
            new Lag(Clock.systemUTC()),
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

  /** Lists the partitions with their end offsets, then releases. */
  private void list(long requestedMs, long... offsets) {
    Map<TopicPartition, Long> known = new HashMap<>();
    for (int p = 0; p < offsets.length; p++) {
      known.put(partition(p), offsets[p]);
    }
    ends = new EndOffsets(known, requestedMs);
    release();
  }

  private void release() {
    merge.release((batch, index, series) -> released.add(batch.points().get(index).getT()));
  }

  /** Stream time is far ahead of the batch, so only a partition created meanwhile can block it. */
  @Example
  void shouldBufferABatchUntilPartitionsAreListedAfterIt() {
    list(1_000, 100);
    add(0, 100, 1_200);
    reach(0, 200, 5_000, 1_200);
    list(1_300, 999);
    assertThat(released)
        .as("another partition may have been created before the batch was written")
        .isEmpty();
    list(1_800, 999);
    assertThat(released).containsExactly(1_200L);
  }

  @Example
  void shouldWaitForAPartitionThatIsListed() {
    list(1_000, 100);
    add(0, 100, 1_200);
    reach(0, 200, 5_000, 1_200);
    list(1_300, 999);
    list(1_800, 999, 1);
    assertThat(released).as("the other partition has an unread record").isEmpty();
    add(1, 0, 1_100);
    reach(1, 1, 1_100, 3_000);
    release();
    assertThat(released).containsExactly(1_100L, 1_200L);
  }

  @Property(tries = 100)
  void shouldKeepTheOrderOfASeriesWhenPartitionsAreCreated(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1_000) int listEveryMs,
      @ForAll @IntRange(min = 0, max = 5_000) int readLaterMs) {
    Random random = new Random(seed);
    List<Long> createdMs = new ArrayList<>(List.of(0L));
    List<List<Long>> logs = new ArrayList<>(List.of(new ArrayList<>()));
    List<Integer> read = new ArrayList<>(List.of(0));
    List<Long> written = new ArrayList<>();
    long requestedMs = 0;
    long[] offsets = {0};
    for (long nowMs = 1; nowMs < END_MS + 30_000; nowMs++) {
      if (nowMs < END_MS && random.nextInt(2_000) == 0) {
        createdMs.add(nowMs);
        logs.add(new ArrayList<>());
        read.add(0);
      }
      if (nowMs < END_MS && random.nextInt(20) == 0) {
        logs.get(random.nextInt(logs.size())).add(nowMs);
        written.add(nowMs);
      }
      if (nowMs % READ_MS == 0) {
        for (int p = 0; p < logs.size(); p++) {
          if (p == 0 || nowMs >= createdMs.get(p) + readLaterMs) { // before that no task reads it
            read.set(p, read(p, logs.get(p), read.get(p), nowMs));
          }
        }
      }
      if (nowMs % RELEASE_MS == 0) {
        release();
      }
      if (nowMs % listEveryMs == 0) { // each response is used when the next request is sent
        list(requestedMs, offsets);
        requestedMs = nowMs;
        offsets = logs.stream().mapToLong(List::size).toArray();
      }
    }
    assertThat(released).containsExactlyElementsOf(written);
  }

  private int read(int partition, List<Long> log, int from, long nowMs) {
    for (int offset = from; offset < log.size(); offset++) {
      add(partition, offset, log.get(offset));
    }
    reach(partition, log.size(), log.isEmpty() ? Long.MIN_VALUE : log.get(log.size() - 1), nowMs);
    return log.size();
  }
}
