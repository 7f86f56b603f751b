package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** Batches that arrive, are buffered, are committed, and arrive again after a crash. */
class MergeBufferStorePropertyTest {
  private static final int BATCHES = 40;
  private static final byte[] SOURCE = SourceHeaders.id(new TopicPartition("points", 0));

  private final HeldBytes inner = new HeldBytes("waiting");
  private final MergeBufferStore<BufferedSeries> buffer =
      new MergeBufferStore<>(inner, inner, FormatVersion.NEWEST);

  /** Batches in their slots, and number of batches read from the source. */
  private List<Integer> slots = new ArrayList<>();

  private int read;

  /** Committed state: buffered batches, slots, offset. */
  private record Commit(Map<Bytes, byte[]> buffered, List<Integer> slots, int read) {}

  private Commit commit() {
    Map<Bytes, byte[]> entries = new LinkedHashMap<>();
    try (var all = inner.all()) {
      all.forEachRemaining(entry -> entries.put(entry.key, entry.value));
    }
    return new Commit(entries, List.copyOf(slots), read);
  }

  private void start(Map<Bytes, byte[]> entries, List<Integer> inSlots, int from, boolean atomic) {
    List<Bytes> keys = new ArrayList<>();
    try (var all = inner.all()) {
      all.forEachRemaining(entry -> keys.add(entry.key));
    }
    keys.forEach(inner::delete);
    entries.forEach(inner::put);
    slots = new ArrayList<>(inSlots);
    read = from;
    buffer.load(
        new SourceMerge<>(
            List.of(ByteBuffer.wrap(SOURCE)),
            id -> true,
            30_000,
            new FairMemory(MemoryAccount.ofEntries(1 + 1_000)),
            () -> EndOffsets.NONE,
            ident -> null,
            new Lag(Clock.systemUTC()),
            0),
        atomic,
        0);
  }

  private void release(long completeMs) {
    buffer.reach(SOURCE, new Progress(0, completeMs, 0), 0);
    buffer.release((batch, index, series) -> slots.add((int) batch.points().get(index).getT()));
  }

  @Property
  void shouldLoseNoBatchAndRepeatNoneWithAtomicCommits(@ForAll long seed, @ForAll boolean atomic) {
    inner.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), inner);
    Random random = new Random(seed);
    start(Map.of(), List.of(), 0, atomic);
    Commit last = commit();
    while (read < BATCHES || random.nextInt(4) > 0) {
      switch (random.nextInt(8)) {
        case 0 -> release(random.nextInt(BATCHES) * 1_000L);
        case 1, 2 -> {
          buffer.flushCache();
          Commit now = commit();
          if (!atomic && random.nextInt(5) == 0) {
            // a crash within a commit: buffered batches are written, slots and offsets are not
            start(now.buffered(), last.slots(), last.read(), false);
          } else {
            last = now;
          }
        }
        case 3 -> start(last.buffered(), last.slots(), last.read(), atomic);
        default -> {
          if (read < BATCHES) {
            buffer.add(SOURCE, read, read * 1_000L, "", List.of(new Point("p", (long) read, 1.0)));
            read++;
          }
        }
      }
    }
    release(Long.MAX_VALUE);
    List<Integer> all = IntStream.range(0, BATCHES).boxed().toList();
    assertThat(atomic ? slots : slots.stream().distinct().sorted().toList())
        .containsExactlyElementsOf(all);
    buffer.flushCache();
    buffer.flushCache();
    assertThat(inner.approximateNumEntries()).isZero();
  }
}
