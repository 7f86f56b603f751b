package dev.rondo.topology.drops;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Counts every drop by reason, and remembers the series that were dropped last. Shared by all tasks
 * of an instance; thread-safe.
 */
public final class Drops {
  private final Map<DropReason, Counter> counters = new EnumMap<>(DropReason.class);
  private final Map<DropReason, RecentDrops> recent = new EnumMap<>(DropReason.class);

  private final DropTotals totals;

  public Drops(MeterRegistry registry, Clock clock) {
    this(registry, clock, DropTotals.NONE);
  }

  /** Counts in {@code registry} and in {@code totals}. */
  public Drops(MeterRegistry registry, Clock clock, DropTotals totals) {
    this.totals = totals;
    for (DropReason reason : DropReason.values()) {
      recent.put(reason, new RecentDrops(clock));
      counters.put(
          reason,
          Counter.builder("rondo.drops.points")
              .description("Points not stored, by reason")
              .tag("reason", reason.key())
              .register(registry));
    }
  }

  /** Counts a point of a known series with time {@code tMs}, epoch ms. */
  public void count(DropReason reason, String ident, long tMs) {
    count(reason, () -> drop(ident, tMs, OptionalLong.empty(), null, null));
  }

  /**
   * Counts a point, or a slot that is too far ahead, of a known series.
   *
   * @param tMs time of the point, epoch ms
   * @param previousMs time of the newest point of its series, epoch ms
   */
  public void count(DropReason reason, String ident, long tMs, long previousMs) {
    count(reason, () -> drop(ident, tMs, OptionalLong.of(previousMs), null, null));
  }

  /** Counts a point of a source record; {@code detail} is the error. */
  public void count(DropReason reason, String ident, long tMs, String detail, RecordId record) {
    count(reason, () -> drop(ident, tMs, OptionalLong.empty(), detail, record));
  }

  /** Counts an unreadable piece of a source record; {@code detail} is the error. */
  public void count(DropReason reason, String detail, RecordId record) {
    count(reason, () -> new Drop(null, OptionalLong.empty(), OptionalLong.empty(), detail, record));
  }

  private static Drop drop(
      String ident, long tMs, OptionalLong previousMs, String detail, RecordId record) {
    return new Drop(ident, OptionalLong.of(tMs), previousMs, detail, record);
  }

  private void count(DropReason reason, Supplier<Drop> drop) {
    totals.add(reason);
    counters.get(reason).increment();
    recent.get(reason).add(drop);
  }

  /** Writes the totals. No drops may follow. */
  public void close() {
    totals.close();
  }

  /** Returns the number of points dropped since the start. */
  public long total(DropReason reason) {
    return (long) counters.get(reason).count();
  }

  /** Returns the series dropped last, newest first; at most a hundred. */
  public List<RecentDrop> newestFirst(DropReason reason) {
    return recent.get(reason).newestFirst();
  }
}
