package dev.rondo.formats.schemaregistry;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the sum of waits: ten timeouts at once, and a tenth of the time after that. So the threads
 * that read records never wait long enough to be taken for dead ({@code max.poll.interval.ms}, five
 * minutes), even if every record names another schema. A topic uses at most twice what all leave
 * free, so that none leaves nothing to the others. Thread-safe.
 */
final class WaitBudget {
  private static final int TIMEOUTS = 10;
  private static final int SHARE = 10;
  private static final int TIMES_FREE = 2;

  private final long mostNanos;

  /** Waits of each topic that the time since has not made up for, ns. */
  private final Map<String, Long> usedNanos = new HashMap<>();

  private long refilledNanos;

  WaitBudget(long timeoutNanos) {
    this.mostNanos = TIMEOUTS * timeoutNanos;
    this.refilledNanos = System.nanoTime();
  }

  /** Takes up to {@code nanos} for a topic; returns what the budget has of it, maybe 0. */
  synchronized long take(String topic, long nanos, long nowNanos) {
    refill(nowNanos);
    long freeNanos = mostNanos - usedNanos.values().stream().mapToLong(used -> used).sum();
    long own = usedNanos.getOrDefault(topic, 0L);
    long least =
        (TIMES_FREE * freeNanos - own) / (TIMES_FREE + 1); // taking it lessens what is free
    long taken = Math.max(0, Math.min(nanos, least));
    add(topic, taken);
    return taken;
  }

  /** Returns what was taken and not waited; negative if the wait took longer. */
  synchronized void giveBack(String topic, long nanos) {
    add(topic, -nanos);
  }

  /** Divides the refill equally between the topics that have used some. */
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
