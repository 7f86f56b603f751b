package dev.rondo.topology.drops;

import dev.rondo.formats.DropReason;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the number of dropped points by reason in a file, across restarts. {@link #add} returns
 * once the reason is on disk, before the record is committed: even after a kill the file has every
 * reason. Numbers are written once a second and at the end, so a kill loses those of the last
 * second and counts reread points twice. Thread-safe.
 */
public final class DropTotals implements AutoCloseable {
  /** Keeps nothing. */
  public static final DropTotals NONE = new DropTotals(null, Map.of());

  private static final Logger LOG = LoggerFactory.getLogger(DropTotals.class);
  private static final long PERIOD_MS = 1000;

  private final Path file;
  private final Map<DropReason, AtomicLong> totals = new EnumMap<>(DropReason.class);

  /** Content of the file, without zeros. */
  private volatile Map<DropReason, Long> written;

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(DropTotals::daemon);

  private DropTotals(Path file, Map<DropReason, Long> before) {
    this.file = file;
    this.written = before;
    for (DropReason reason : DropReason.values()) {
      totals.put(reason, new AtomicLong(before.getOrDefault(reason, 0L)));
    }
  }

  /** Continues the totals of a file, which need not exist, until closed. */
  @SuppressWarnings("FutureReturnValueIgnored") // it throws nothing
  public static DropTotals start(Path file) throws IOException {
    DropTotals totals = new DropTotals(file, read(file));
    totals.scheduler.scheduleWithFixedDelay(
        totals::tryToWrite, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    return totals;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "drop-totals");
    thread.setDaemon(true);
    return thread;
  }

  /** Reads the totals of a file, without zeros; empty if it does not exist. */
  public static Map<DropReason, Long> read(Path file) throws IOException {
    Map<DropReason, Long> totals = new EnumMap<>(DropReason.class);
    if (!Files.exists(file)) {
      return totals;
    }
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    for (DropReason reason : DropReason.values()) {
      long points = Long.parseLong(properties.getProperty(reason.key(), "0"));
      if (points > 0) {
        totals.put(reason, points);
      }
    }
    return totals;
  }

  /**
   * Adds a point.
   *
   * @throws UncheckedIOException if the reason is new and the file cannot be written
   */
  void add(DropReason reason) {
    if (file == null) {
      return;
    }
    totals.get(reason).incrementAndGet();
    if (!written.containsKey(reason)) {
      write();
    }
  }

  private synchronized void write() {
    Map<DropReason, Long> now = new EnumMap<>(DropReason.class);
    totals.forEach((reason, points) -> now.put(reason, points.get()));
    now.values().removeIf(points -> points == 0);
    if (now.equals(written)) {
      return;
    }
    try {
      write(now);
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be written (drops.file)".formatted(file), e);
    }
    written = now;
  }

  private void tryToWrite() {
    try {
      write();
    } catch (UncheckedIOException e) {
      LOG.warn("Failed to write the number of dropped points; retrying in a second", e);
    }
  }

  private void write(Map<DropReason, Long> now) throws IOException {
    Properties properties = new Properties();
    now.forEach((reason, points) -> properties.setProperty(reason.key(), points.toString()));
    StringWriter text = new StringWriter();
    properties.store(text, null);
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(
        next,
        text.toString(),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
    Utils.atomicMoveWithFallback(next, file); // and syncs the folder
  }

  /** Writes the remaining numbers, then stops. */
  @Override
  public void close() {
    scheduler.shutdown();
    tryToWrite();
  }
}
