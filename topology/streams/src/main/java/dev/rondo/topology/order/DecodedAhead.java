package dev.rondo.topology.order;

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of decoded points by stream time until the slowest partition has passed them.
 * Safe to share between threads.
 */
final class DecodedAhead {
  private static final long RESOLUTION_MS = 100;

  private final ConcurrentNavigableMap<Long, Long> byStreamTime = new ConcurrentSkipListMap<>();
  private final AtomicLong bytes = new AtomicLong();

  void add(long streamTimeMs, long more) {
    bytes.addAndGet(more);
    byStreamTime.merge(Math.floorDiv(streamTimeMs, RESOLUTION_MS), more, Long::sum);
  }

  /** Returns the bytes after {@code untilMs}, and forgets those before. */
  long bytesAfter(long untilMs) {
    Map<Long, Long> before = byStreamTime.headMap(Math.floorDiv(untilMs, RESOLUTION_MS), true);
    for (Long time : before.keySet()) {
      Long passed = byStreamTime.remove(time);
      if (passed != null) {
        bytes.addAndGet(-passed);
      }
    }
    return bytes.get();
  }
}
