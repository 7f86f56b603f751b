package dev.rondo.topology.drops;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * The series last dropped for one reason, up to {@link #MAX_SERIES} of them. A series that is
 * dropped again becomes the newest; the oldest is removed.
 *
 * <p>A flood costs little: after the first {@link #SAMPLED_PER_SECOND} drops of a second, one in
 * {@link #SAMPLE_INTERVAL} is sampled at random and counts as that many; the others take no lock.
 * Thread-safe.
 */
final class RecentDrops {
  static final int MAX_SERIES = 100;
  static final int SAMPLED_PER_SECOND = 1000;
  static final int SAMPLE_INTERVAL = 64;

  private static final long SECOND_MS = 1000;

  private final Clock clock;
  private final Map<String, RecentDrop> byKey = new LinkedHashMap<>();
  private long secondEndsMs = Long.MIN_VALUE;
  private int sampled;

  /** Drops are sampled until this time, the end of the current second, epoch ms. */
  private volatile long floodUntilMs = Long.MIN_VALUE;

  RecentDrops(Clock clock) {
    this.clock = clock;
  }

  /** Adds a drop; calls {@code drop} only if it is sampled. */
  void add(Supplier<Drop> drop) {
    long nowMs = clock.millis();
    int points = 1;
    if (isWithinSecondUntil(floodUntilMs, nowMs)) {
      if (ThreadLocalRandom.current().nextInt(SAMPLE_INTERVAL) != 0) {
        return;
      }
      points = SAMPLE_INTERVAL;
    }
    add(drop.get(), points, nowMs);
  }

  /**
   * Whether the second that ends at {@code endMs} is not over. Setting back the clock ends it, too.
   */
  private static boolean isWithinSecondUntil(long endMs, long nowMs) {
    return nowMs < endMs && nowMs >= endMs - SECOND_MS;
  }

  private synchronized void add(Drop drop, int points, long nowMs) {
    if (!isWithinSecondUntil(secondEndsMs, nowMs)) {
      secondEndsMs = nowMs + SECOND_MS;
      sampled = 0;
    }
    if (++sampled == SAMPLED_PER_SECOND) {
      floodUntilMs = secondEndsMs;
    }
    String key = drop.key();
    RecentDrop before = byKey.remove(key); // put back as the newest below
    byKey.put(key, new RecentDrop(drop, points + (before == null ? 0 : before.points()), nowMs));
    if (byKey.size() > MAX_SERIES) {
      byKey.remove(byKey.keySet().iterator().next());
    }
  }

  /** Returns the drops, newest first. */
  synchronized List<RecentDrop> newestFirst() {
    List<RecentDrop> drops = new ArrayList<>(byKey.values());
    Collections.reverse(drops);
    return drops;
  }
}
