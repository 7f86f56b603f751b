package dev.rondo.chaos;

import dev.rondo.chaos.part.FinestSlots;
import java.sql.SQLException;
import org.HdrHistogram.Histogram;

/**
 * Measures, while a scenario runs, how long after its end a slot can be read in PostgreSQL. A part
 * that is away shows as slots that come late. Slots that never come are not counted: verify finds
 * them missing.
 */
final class FreshnessProbe implements AutoCloseable {
  private static final long LOOK_MS = 250;

  private final Histogram delays = new Histogram(3);
  private final FinestSlots slots;
  private final Thread thread = new Thread(this::watch, "freshness");

  private FreshnessProbe(FinestSlots slots) {
    this.slots = slots;
  }

  static FreshnessProbe start(FinestSlots slots) {
    var probe = new FreshnessProbe(slots);
    probe.thread.setDaemon(true);
    probe.thread.start();
    return probe;
  }

  private void watch() {
    try {
      while (true) {
        look();
        Thread.sleep(LOOK_MS);
      }
    } catch (InterruptedException e) {
      slots.close();
    }
  }

  private void look() {
    try {
      slots.arrived(System.currentTimeMillis()).forEach(delays::recordValue);
    } catch (SQLException e) {
      slots.close(); // PostgreSQL is away; the next look connects again
    }
  }

  /** Ends, and returns what was measured. */
  Freshness end() throws InterruptedException {
    thread.interrupt();
    thread.join();
    return new Freshness(
        delays.getTotalCount(),
        delays.getValueAtPercentile(50) / 1e3,
        delays.getValueAtPercentile(99) / 1e3,
        delays.getMaxValue() / 1e3);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
