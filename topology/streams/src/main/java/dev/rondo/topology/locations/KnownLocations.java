package dev.rondo.topology.locations;

import dev.rondo.topology.consolidate.SeriesLocations;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * The partition of each series, by a 64-bit hash of its ident: about 20 bytes per series. Safe to
 * share between threads.
 */
final class KnownLocations implements SeriesLocations {
  private static final int NOWHERE = -1;

  private final Long2IntOpenHashMap partitions = new Long2IntOpenHashMap();
  private volatile boolean isKnown;

  KnownLocations() {
    partitions.defaultReturnValue(NOWHERE);
  }

  /**
   * Sets the partition of a series.
   *
   * @return the partition that it was in before, if it is another one; -1 = none
   */
  synchronized int put(String ident, int partition) {
    int before = partitions.put(hash(ident), partition);
    return before == partition ? NOWHERE : before;
  }

  synchronized void remove(String ident) {
    partitions.remove(hash(ident));
  }

  /** Marks all locations from before the start as read. */
  void markKnown() {
    isKnown = true;
  }

  @Override
  public boolean isKnown() {
    return isKnown;
  }

  @Override
  public synchronized boolean isElsewhere(String ident, int partition) {
    int known = partitions.get(hash(ident));
    return known != NOWHERE && known != partition;
  }

  private static long hash(String ident) {
    int other = Utils.murmur2(ident.getBytes(StandardCharsets.UTF_8));
    return ((long) ident.hashCode() << Integer.SIZE) | Integer.toUnsignedLong(other);
  }
}
