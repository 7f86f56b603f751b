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
 * What is not stored: counted by reason, every one of it, and the series that were dropped last.
 * Every reason is there from the start, at 0. One for all tasks of an instance; safe to share
 * between threads.
 */
public final class Drops {
  private final Map<DropReason, Counter> counters = new EnumMap<>(DropReason.class);
  private final Map<DropReason, RecentDrops> recent = new EnumMap<>(DropReason.class);

  /** Counts in {@code registry}. */
  public Drops(MeterRegistry registry, Clock clock) {
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

  /** One more point of a known series, whose time is {@code tMs}, epoch ms. */
  public void count(DropReason reason, String ident, long tMs) {
    count(reason, () -> drop(ident, tMs, OptionalLong.empty(), null, null));
  }

  /**
   * One more point that came after another one of its series.
   *
   * @param tMs its time, epoch ms
   * @param previousMs time of the newest point of its series, epoch ms
   */
  public void count(DropReason reason, String ident, long tMs, long previousMs) {
    count(reason, () -> drop(ident, tMs, OptionalLong.of(previousMs), null, null));
  }

  /** One more point of a source record, that could be read. {@code detail}: what is wrong. */
  public void count(DropReason reason, String ident, long tMs, String detail, RecordId place) {
    count(reason, () -> drop(ident, tMs, OptionalLong.empty(), detail, place));
  }

  /** One more piece of a source record, that could not be read. {@code detail}: what is wrong. */
  public void count(DropReason reason, String detail, RecordId place) {
    count(reason, () -> new Drop(null, OptionalLong.empty(), OptionalLong.empty(), detail, place));
  }

  private static Drop drop(
      String ident, long tMs, OptionalLong previousMs, String detail, RecordId place) {
    return new Drop(ident, OptionalLong.of(tMs), previousMs, detail, place);
  }

  private void count(DropReason reason, Supplier<Drop> drop) {
    counters.get(reason).increment();
    recent.get(reason).add(drop);
  }

  /** Points dropped since the start. */
  public long total(DropReason reason) {
    return (long) counters.get(reason).count();
  }

  /** The series dropped last, the newest first; a hundred at the most. */
  public List<RecentDrop> newestFirst(DropReason reason) {
    return recent.get(reason).newestFirst();
  }
}
