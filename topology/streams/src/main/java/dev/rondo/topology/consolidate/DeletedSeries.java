package dev.rondo.topology.consolidate;

import dev.rondo.topology.memory.FairShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deleted series of a task, each with the time up to which its points are dropped, so that
 * resent or reread points do not restore it. A deletion is remembered until the newest point of the
 * task is {@link #KEPT} newer; the wall clock does not matter. While the memory of series is full,
 * the older half of the source with the most is forgotten earlier.
 */
final class DeletedSeries {
  static final Duration KEPT = Duration.ofDays(30);

  /** Time of a series that was not deleted. */
  static final long NEVER = Long.MIN_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(DeletedSeries.class);

  /** Heap of a deletion without its ident. */
  private static final long BYTES = 160;

  private final KeyValueStore<String, Deletion> store;
  private final FairShares memory;
  private int count;

  /**
   * Counts the entries of the store.
   *
   * @param store deletions by ident
   * @param memory memory of deleted series, by source
   */
  DeletedSeries(KeyValueStore<String, Deletion> store, FairShares memory) {
    this.store = store;
    this.memory = memory;
    try (KeyValueIterator<String, Deletion> all = store.all()) {
      all.forEachRemaining(deletion -> count(1, deletion.key, deletion.value.source()));
    }
  }

  private void count(int sign, String ident, String source) {
    count += sign;
    memory.of(source).add(0, sign * (BYTES + ident.length() + source.length()));
  }

  /** Whether the series was deleted at or after the time of a point, epoch ms. */
  boolean covers(String ident, long tMs) {
    return tMs <= untilMs(ident);
  }

  boolean contains(String ident) {
    return untilMs(ident) != NEVER;
  }

  /** Time up to which points of a series are dropped, epoch ms; {@link #NEVER} if none are. */
  long untilMs(String ident) {
    Deletion deletion = count == 0 ? null : store.get(ident);
    return deletion == null ? NEVER : deletion.untilMs();
  }

  /**
   * Remembers a deletion.
   *
   * @param untilMs time up to which points of the series are dropped, epoch ms
   * @param source topic of the series
   */
  void add(String ident, long untilMs, String source) {
    Deletion before = store.get(ident);
    if (before != null) {
      count(-1, ident, before.source());
    }
    count(1, ident, source);
    store.put(
        ident, new Deletion(Math.max(untilMs, before == null ? NEVER : before.untilMs()), source));
  }

  /** Extends a remembered deletion to a later time, epoch ms. */
  void extend(String ident, long untilMs) {
    Deletion before = store.get(ident);
    if (before != null) {
      add(ident, untilMs, before.source());
    }
  }

  /**
   * Forgets deletions older than {@link #KEPT} and, while no memory is left, the older half of a
   * source that exceeds its share.
   *
   * @param newestMs time of the newest point, epoch ms
   */
  void forgetOld(long newestMs) {
    if (count == 0) {
      return;
    }
    Map<String, List<KeyValue<String, Deletion>>> bySource = new TreeMap<>();
    try (KeyValueIterator<String, Deletion> all = store.all()) {
      all.forEachRemaining(
          deletion ->
              bySource
                  .computeIfAbsent(deletion.value.source(), source -> new ArrayList<>())
                  .add(deletion));
    }
    bySource.forEach((source, deletions) -> forgetOld(source, deletions, newestMs));
  }

  private void forgetOld(String source, List<KeyValue<String, Deletion>> deletions, long newestMs) {
    deletions.sort(Comparator.comparingLong(deletion -> deletion.value.untilMs()));
    boolean exceeds = memory.isOutOfBytes() && memory.exceeds(memory.of(source));
    int half = exceeds ? (deletions.size() + 1) / 2 : 0;
    if (half > 0) {
      LOG.warn(
          "the memory of series is full: forgetting {} of {} deletions of series of source '{}',"
              + " which has the most",
          half,
          deletions.size(),
          source);
    }
    for (int n = 0; n < deletions.size(); n++) {
      KeyValue<String, Deletion> deletion = deletions.get(n);
      if (n < half || deletion.value.untilMs() < newestMs - KEPT.toMillis()) {
        store.delete(deletion.key);
        count(-1, deletion.key, source);
      }
    }
  }

  int size() {
    return count;
  }

  void close() {
    memory.close();
  }
}
