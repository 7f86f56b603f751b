package dev.rondo.chaos;

import dev.rondo.chaos.part.FinestSlots;
import java.sql.SQLException;
import java.time.Instant;
import org.HdrHistogram.Histogram;

/**
 * Measures, while a scenario runs, how long after its end a slot can be read in PostgreSQL. A part
 * that is away shows as slots that come late. Slots that never come are not counted: verify finds
 * them missing.
 */
final class FreshnessProbe implements AutoCloseable {
  private static final long LOOK_MS = 250;
  private static final long COLD_START_MS = 60_000;

  private final Histogram delays = new Histogram(3);
  private final Histogram firstMinute = new Histogram(3);
  private final long beganMs = System.currentTimeMillis();
  private Instant worst = Instant.EPOCH;
  private final FinestSlots slots;
  private Watch watch;

  private FreshnessProbe(FinestSlots slots) {
    this.slots = slots;
  }

  static FreshnessProbe start(FinestSlots slots) {
    var probe = new FreshnessProbe(slots);
    probe.watch = Watch.start("freshness", probe::look, LOOK_MS, slots::close);
    return probe;
  }

  private void look() {
    try {
      long nowMs = System.currentTimeMillis();
      slots.arrived(nowMs).forEach(delayMs -> record(nowMs - delayMs, delayMs));
    } catch (SQLException e) {
      slots.close(); // PostgreSQL is away; the next look connects again
    }
  }

  private void record(long endMs, long delayMs) {
    if (endMs < beganMs + COLD_START_MS) {
      firstMinute.recordValue(delayMs);
      return;
    }
    if (delayMs > delays.getMaxValue()) {
      worst = Instant.ofEpochMilli(endMs);
    }
    delays.recordValue(delayMs);
  }

  /** Ends, and returns what was measured. */
  Freshness end() throws InterruptedException {
    watch.end();
    return new Freshness(
        delays.getTotalCount(),
        delays.getValueAtPercentile(50) / 1e3,
        delays.getValueAtPercentile(99) / 1e3,
        delays.getMaxValue() / 1e3,
        worst,
        firstMinute.getMaxValue() / 1e3);
  }

  @Override
  public void close() {
    watch.close();
  }
}
