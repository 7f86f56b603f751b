package dev.rondo.formats.schemaregistry;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the total time of waits: a burst of ten timeouts, then a tenth of the time. A consumer
 * therefore stays within {@code max.poll.interval.ms} (five minutes), even if every record names
 * another schema. A topic uses at most twice what is left free, so that it cannot starve the
 * others. Thread-safe.
 */
final class WaitBudget {
  private static final int TIMEOUTS = 10;
  private static final int SHARE = 10;
  private static final int TIMES_FREE = 2;

  private final long maxNanos;

  /** Waits of each topic that are not refilled yet, ns. */
  private final Map<String, Long> usedNanos = new HashMap<>();

  private long refilledNanos;

  WaitBudget(long timeoutNanos) {
    this.maxNanos = TIMEOUTS * timeoutNanos;
    this.refilledNanos = System.nanoTime();
  }

  /** Takes up to {@code nanos} for a topic; returns the granted time, possibly 0. */
  synchronized long take(String topic, long nanos, long nowNanos) {
    refill(nowNanos);
    long freeNanos = maxNanos - usedNanos.values().stream().mapToLong(used -> used).sum();
    long own = usedNanos.getOrDefault(topic, 0L);
    long available =
        (TIMES_FREE * freeNanos - own) / (TIMES_FREE + 1); // taking reduces what is free
    long taken = Math.max(0, Math.min(nanos, available));
    add(topic, taken);
    return taken;
  }

  /** Returns unused time; negative if the wait took longer than granted. */
  synchronized void refund(String topic, long nanos) {
    add(topic, -nanos);
  }

  /** Divides the refill equally between the topics with waits. */
  private void refill(long nowNanos) {
    long refillNanos = Math.max(0, (nowNanos - refilledNanos) / SHARE);
    refilledNanos = Math.max(refilledNanos, nowNanos);
    if (!usedNanos.isEmpty()) {
      long each = refillNanos / usedNanos.size();
      usedNanos.replaceAll((topic, used) -> used - each);
      usedNanos.values().removeIf(used -> used <= 0);
    }
  }

  private void add(String topic, long nanos) {
    usedNanos.merge(topic, nanos, Long::sum);
    usedNanos.values().removeIf(used -> used <= 0);
  }
}
