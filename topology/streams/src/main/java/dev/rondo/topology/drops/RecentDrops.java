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
 * The series last dropped for one reason, up to {@link #MOST} of them: who is dropped again becomes
 * the newest, the oldest makes room.
 *
 * <p>A flood costs little: of what comes after the first {@link #LOOKS} drops of a second, one in
 * {@link #ONE_IN} is looked at, by chance, and counts for as many; the others cost a look at the
 * clock and take no lock. Safe to share between threads.
 */
final class RecentDrops {
  static final int MOST = 100;
  static final int LOOKS = 1000;
  static final int ONE_IN = 64;

  private static final long SECOND_MS = 1000;

  private final Clock clock;
  private final Map<String, RecentDrop> byKey = new LinkedHashMap<>();
  private long secondEndsMs = Long.MIN_VALUE;
  private int looks;

  /** End of the second that has had its looks, epoch ms. */
  private volatile long floodUntilMs = Long.MIN_VALUE;

  RecentDrops(Clock clock) {
    this.clock = clock;
  }

  /** {@code drop} is asked for only if it is looked at. */
  void add(Supplier<Drop> drop) {
    long nowMs = clock.millis();
    int points = 1;
    if (isWithinSecondUntil(floodUntilMs, nowMs)) {
      if (ThreadLocalRandom.current().nextInt(ONE_IN) != 0) {
        return;
      }
      points = ONE_IN;
    }
    add(drop.get(), points, nowMs);
  }

  /** A clock that was set back ends the second, too. */
  private static boolean isWithinSecondUntil(long endMs, long nowMs) {
    return nowMs < endMs && nowMs >= endMs - SECOND_MS;
  }

  private synchronized void add(Drop drop, int points, long nowMs) {
    if (!isWithinSecondUntil(secondEndsMs, nowMs)) {
      secondEndsMs = nowMs + SECOND_MS;
      looks = 0;
    }
    if (++looks == LOOKS) {
      floodUntilMs = secondEndsMs;
    }
    String key = drop.key();
    RecentDrop before = byKey.remove(key); // to be put back as the newest
    byKey.put(key, new RecentDrop(drop, points + (before == null ? 0 : before.points()), nowMs));
    if (byKey.size() > MOST) {
      byKey.remove(byKey.keySet().iterator().next());
    }
  }

  /** The newest first. */
  synchronized List<RecentDrop> newestFirst() {
    List<RecentDrop> drops = new ArrayList<>(byKey.values());
    Collections.reverse(drops);
    return drops;
  }
}
