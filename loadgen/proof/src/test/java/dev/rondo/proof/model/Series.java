package dev.rondo.proof.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One series of the load: its points at irregular times, up to the last that was sent. */
public final class Series {
  private static final long SECOND_MS = 1000;

  private final String ident;
  private final Random random;
  private final long lastMs;
  private final List<TimedValue> points = new ArrayList<>();
  private Series former;
  private long nextMs;

  /**
   * A series without points.
   *
   * @param beginMs approximate time of the first point
   * @param lastMs time at which it falls silent; {@link Long#MAX_VALUE}: never
   */
  public Series(String ident, long seed, long beginMs, long lastMs) {
    this.ident = ident;
    this.random = new Random(seed);
    this.lastMs = lastMs;
    this.nextMs = beginMs + random.nextInt(30_000);
  }

  public String ident() {
    return ident;
  }

  /** The points so far, times ascending. */
  public List<TimedValue> points() {
    return points;
  }

  /** Another one is renamed to this one. */
  public void continueFrom(Series former) {
    this.former = former;
  }

  /** The series that was renamed to this one; null: none was. */
  Series former() {
    return former;
  }

  /** Adds all due points and returns their number. */
  int grow(long nowMs) {
    int before = points.size();
    while (nextMs <= nowMs && nextMs <= lastMs) {
      points.add(new TimedValue(nextMs, random.nextInt(8000) / 8.0 - 200));
      nextMs += interval();
    }
    return points.size() - before;
  }

  /** Adds a point at {@code endMs}, which closes all slots up to there, unless it is silent. */
  int end(long endMs) {
    grow(endMs - 1);
    if (lastMs < endMs) {
      return 0;
    }
    points.add(new TimedValue(endMs, random.nextInt(8000) / 8.0));
    return 1;
  }

  /** Mostly some seconds; sometimes longer than a coarse step or the heartbeat. */
  private long interval() {
    double kind = random.nextDouble();
    if (kind < 0.01) {
      return between(180 * SECOND_MS + 1, 900 * SECOND_MS);
    }
    if (kind < 0.04) {
      return between(60 * SECOND_MS, 180 * SECOND_MS);
    }
    return kind < 0.5 ? 10 * SECOND_MS : between(SECOND_MS, 15 * SECOND_MS);
  }

  private long between(long fromMs, long toMs) {
    return fromMs + random.nextInt((int) (toMs - fromMs + 1));
  }
}
