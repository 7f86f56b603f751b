package dev.rondo.history.locations;

import dev.rondo.history.locations.StoredSeries.LocationPeriod;
import dev.rondo.rows.WriteMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A period to make or to prolong, at the location where a series lives.
 *
 * <pre>
 *   period 0, former location       | 5 | 7 | 6 | 8 |
 *   OVERWRITE: made here      | 1 | 1 |   | 1 | 1 |     before the current period
 *   FILL: made here           | 1 | 1 |                 before the first period
 *   period now                                      | 4 | 3 |
 * </pre>
 *
 * @param next the period that it comes before
 * @param prolongs whether {@code next} is made longer instead, because a backfill made it
 * @param sinceMs slots that end at or before it are not of the period, epoch ms
 * @param untilMs slots that begin at or after it are not of the period, epoch ms
 * @param takenMs slots that end after it are of another series, epoch ms
 */
record Extension(
    StoredSeries series,
    LocationPeriod next,
    boolean prolongs,
    long sinceMs,
    long untilMs,
    long takenMs) {

  /**
   * Plans the period of a series.
   *
   * @param fromMs wanted start of the oldest slot, epoch ms
   * @param others former periods of other series at the location
   * @param stepsMs steps of the archives of the policy
   */
  static Extension of(
      StoredSeries series, WriteMode mode, long fromMs, List<Location> others, List<Long> stepsMs) {
    LocationPeriod next = next(series, mode);
    long untilMs = next.location().sinceMs();
    long freeMs = Long.MIN_VALUE;
    long takenMs = Long.MAX_VALUE;
    for (Location other : others) {
      if (other.sinceMs() < untilMs) {
        freeMs = Math.max(freeMs, endMs(other, stepsMs));
      } else {
        takenMs = Math.min(takenMs, other.sinceMs());
      }
    }
    boolean prolongs =
        !next.equals(series.current())
            && next.backfilled()
            && next.location().isAt(series.current().location());
    long sinceMs = Math.max(fromMs, Math.min(freeMs, untilMs));
    return new Extension(series, next, prolongs, sinceMs, untilMs, takenMs);
  }

  private static LocationPeriod next(StoredSeries series, WriteMode mode) {
    if (mode == WriteMode.FILL) {
      return series.first();
    }
    LocationPeriod current = series.current();
    LocationPeriod before = series.periods().size() > 1 ? series.periods().get(1) : current;
    boolean isPart =
        before.backfilled()
            && before.location().isAt(current.location())
            && before.location().untilMs() >= current.location().sinceMs();
    return isPart ? before : current;
  }

  /** End of the last slot of a period in any archive, epoch ms. */
  private static long endMs(Location period, List<Long> stepsMs) {
    long untilMs = period.untilMs();
    long endMs =
        stepsMs.stream()
            .mapToLong(stepMs -> Math.floorDiv(untilMs + stepMs - 1, stepMs) * stepMs)
            .max()
            .orElse(untilMs);
    return Math.min(endMs, period.takenMs());
  }

  /** Whether there is a time before {@link #next} in which the position can be of the series. */
  boolean isNeeded() {
    return sinceMs < untilMs;
  }

  Location location() {
    return series.current().location();
  }

  /**
   * Slots that another series may have left there, whose history is gone.
   *
   * @param pos position, from 1
   * @param sinceMs they end after it, epoch ms
   * @param toMs they end at or before it, epoch ms
   * @param untilMs they begin before it, epoch ms
   */
  record Foreign(int pos, long sinceMs, long toMs, long untilMs) {}

  /** Foreign slots in the time of the period: all but those of periods of the series itself. */
  List<Foreign> foreign(List<Long> stepsMs) {
    List<Location> own =
        series.periods().stream()
            .map(LocationPeriod::location)
            .filter(location()::isAt)
            .sorted(Comparator.comparingLong(Location::sinceMs))
            .toList();
    var foreign = new ArrayList<Foreign>();
    long fromMs = sinceMs;
    for (Location period : own) {
      if (period.sinceMs() > fromMs && fromMs < untilMs) {
        foreign.add(foreign(fromMs, period.sinceMs()));
      }
      fromMs =
          Math.max(fromMs, period.untilMs() == Long.MAX_VALUE ? untilMs : endMs(period, stepsMs));
    }
    return foreign;
  }

  private Foreign foreign(long fromMs, long toMs) {
    return new Foreign(location().pos(), fromMs, Math.min(toMs, takenMs), untilMs);
  }
}
