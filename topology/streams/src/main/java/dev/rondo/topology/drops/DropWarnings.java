package dev.rondo.topology.drops;

import dev.rondo.formats.DropReason;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs drops: for each reason one line within a second of the first drop, then one a minute while
 * there are more. A flood does not fill the log.
 */
public final class DropWarnings implements AutoCloseable {
  static final long QUIET_MS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(DropWarnings.class);
  private static final long PERIOD_MS = 1000;

  /** Total and time of the last line for a reason. */
  private record Emitted(long total, long atMs) {}

  private final Drops drops;
  private final Consumer<String> log;
  private final Map<DropReason, Emitted> emitted = new EnumMap<>(DropReason.class);
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(DropWarnings::daemon);

  DropWarnings(Drops drops, Consumer<String> log) {
    this.drops = drops;
    this.log = log;
  }

  /** Starts logging, until closed. */
  @SuppressWarnings("FutureReturnValueIgnored") // it throws nothing
  public static DropWarnings start(Drops drops, Clock clock) {
    DropWarnings warnings = new DropWarnings(drops, line -> LOG.warn("{}", line));
    warnings.scheduler.scheduleWithFixedDelay(
        () -> warnings.emit(clock.millis()), PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    return warnings;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "drop-warnings");
    thread.setDaemon(true);
    return thread;
  }

  synchronized void emit(long nowMs) {
    for (DropReason reason : DropReason.values()) {
      Emitted before = emitted.getOrDefault(reason, new Emitted(0, Long.MIN_VALUE));
      long total = drops.total(reason);
      boolean isQuiet = before.atMs != Long.MIN_VALUE && nowMs - before.atMs < QUIET_MS;
      if (total > before.total && !isQuiet) {
        emitted.put(reason, new Emitted(total, nowMs));
        log.accept(line(reason, total - before.total));
      }
    }
  }

  private String line(DropReason reason, long points) {
    String last =
        drops.newestFirst(reason).stream().findFirst().map(DropWarnings::text).orElse("unknown");
    return "points not stored: %d, %s; the last: %s; more: GET /drops?reason=%s"
        .formatted(points, reason.key(), last, reason.key());
  }

  private static String text(RecentDrop recent) {
    Drop drop = recent.last();
    StringBuilder text = new StringBuilder();
    if (drop.ident() != null) {
      text.append("series '").append(drop.ident()).append("'");
    }
    drop.tMs().ifPresent(ms -> text.append(" at ").append(Instant.ofEpochMilli(ms)));
    drop.previousMs()
        .ifPresent(ms -> text.append(", after one at ").append(Instant.ofEpochMilli(ms)));
    if (drop.detail() != null) {
      text.append(text.isEmpty() ? "" : ", ").append(drop.detail());
    }
    RecordId record = drop.record();
    if (record != null) {
      text.append(" (").append(record).append(')');
    }
    return text.toString();
  }

  /** Logs the remaining drops, then stops. */
  @Override
  public void close() {
    scheduler.shutdownNow();
    emit(Long.MAX_VALUE);
  }
}
