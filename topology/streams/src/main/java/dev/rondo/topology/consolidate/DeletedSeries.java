package dev.rondo.topology.consolidate;

import dev.rondo.topology.memory.MemoryShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The series of a task that were deleted, and until when their points are not stored, so that
 * points that are sent or read again do not bring them back. A deletion is remembered until the
 * newest point of the task is thirty days newer, whatever the wall clock says; the oldest are
 * forgotten earlier while the memory of series is full.
 */
final class DeletedSeries {
  static final Duration KEPT = Duration.ofDays(30);

  /** The series was not deleted. */
  static final long NEVER = Long.MIN_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(DeletedSeries.class);

  /** Heap of a deletion without its ident. */
  private static final long BYTES = 160;

  private final KeyValueStore<String, Long> store;
  private final MemoryShare memory;
  private int count;

  /**
   * Counts what the store has.
   *
   * @param store epoch ms, by ident
   * @param memory of series
   */
  DeletedSeries(KeyValueStore<String, Long> store, MemoryShare memory) {
    this.store = store;
    this.memory = memory;
    try (KeyValueIterator<String, Long> all = store.all()) {
      all.forEachRemaining(deletion -> count(1, deletion.key));
    }
  }

  private void count(int sign, String ident) {
    count += sign;
    memory.add(0, sign * (BYTES + ident.length()));
  }

  /** Whether the series was deleted at or after the time of a point, epoch ms. */
  boolean covers(String ident, long tMs) {
    return tMs <= untilMs(ident);
  }

  /** Whether the deletion of a series is remembered. */
  boolean contains(String ident) {
    return untilMs(ident) != NEVER;
  }

  /** Until when points of a series are not stored, epoch ms; {@link #NEVER} if all are. */
  long untilMs(String ident) {
    Long untilMs = count == 0 ? null : store.get(ident);
    return untilMs == null ? NEVER : untilMs;
  }

  /** Remembers a deletion. Its points up to {@code untilMs}, epoch ms, are not stored. */
  void add(String ident, long untilMs) {
    Long before = store.get(ident);
    if (before == null) {
      count(1, ident);
    }
    store.put(ident, before == null ? untilMs : Math.max(before, untilMs));
  }

  /**
   * Forgets what is older than {@link #KEPT}, and the older half while the memory is full.
   *
   * @param newestMs time of the newest point, epoch ms
   */
  void forgetOld(long newestMs) {
    if (count == 0) {
      return;
    }
    List<KeyValue<String, Long>> byAge = new ArrayList<>();
    try (KeyValueIterator<String, Long> all = store.all()) {
      all.forEachRemaining(byAge::add);
    }
    byAge.sort(Comparator.comparingLong(deletion -> deletion.value));
    int half = memory.isFull() ? (byAge.size() + 1) / 2 : 0;
    if (half > 0) {
      LOG.warn("the memory of series is full: forgetting {} of {} deletions", half, byAge.size());
    }
    for (int n = 0; n < byAge.size(); n++) {
      if (n < half || byAge.get(n).value < newestMs - KEPT.toMillis()) {
        store.delete(byAge.get(n).key);
        count(-1, byAge.get(n).key);
      }
    }
  }

  int size() {
    return count;
  }

  /** Returns its memory to the instance. */
  void close() {
    memory.close();
  }
}
