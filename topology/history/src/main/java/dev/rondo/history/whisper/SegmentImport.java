package dev.rondo.history.whisper;

import dev.rondo.history.fill.Throttle;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.history.slots.SlotWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes all files of one segment: reads them together, so that each row is written once and whole.
 */
final class SegmentImport {
  /** Limit of slots held in memory, for all series of the segment: 30 MB at a width of 116. */
  private static final int MAX_SLOTS = 1 << 15;

  private static final int ROWS_A_TRANSACTION = 500;

  private final Path dir;
  private final WhisperReader reader;
  private final SlotWriter writer;
  private final Throttle throttle;
  private final Clock clock;
  private final long untilMs;
  private final ImportReport report;

  /**
   * @param untilMs no slot that ends later is written
   */
  SegmentImport(
      Path dir,
      WhisperReader reader,
      SlotWriter writer,
      Throttle throttle,
      Clock clock,
      long untilMs,
      ImportReport report) {
    this.dir = dir;
    this.reader = reader;
    this.writer = writer;
    this.throttle = throttle;
    this.clock = clock;
    this.untilMs = untilMs;
    this.report = report;
  }

  void write(SlotSession session, SegmentFiles segment) throws SQLException, InterruptedException {
    long nowMs = clock.millis();
    Set<String> unreadable = new HashSet<>();
    List<List<Window>> groups =
        Window.groups(
            segment.policy(), nowMs, Math.min(nowMs, untilMs), segment.width(), MAX_SLOTS);
    for (List<Window> windows : groups) {
      for (Member member : segment.members()) {
        if (!unreadable.contains(member.file()) && !add(member, windows)) {
          unreadable.add(member.file());
        }
      }
      for (Window window : windows) {
        write(session, window.slots(segment.seg()));
      }
    }
    report.without(writer.leftOut());
  }

  /** Returns false if the file cannot be read. */
  private boolean add(Member member, List<Window> windows) {
    try {
      WhisperFile file = reader.read(dir.resolve(member.file()));
      windows.forEach(window -> window.add(file, member));
      return true;
    } catch (UnreadableFileException e) {
      report.leftOut(member.file(), e.getMessage());
      return false;
    }
  }

  private void write(SlotSession session, List<SlotWriter.Slots> slots)
      throws SQLException, InterruptedException {
    for (int from = 0; from < slots.size(); from += ROWS_A_TRANSACTION) {
      List<SlotWriter.Slots> some =
          slots.subList(from, Math.min(slots.size(), from + ROWS_A_TRANSACTION));
      throttle.pass(some.size());
      int changed = session.transaction(connection -> writer.write(connection, some));
      report.rows.add(changed);
      some.forEach(row -> report.values.add(known(row.values())));
    }
  }

  private static long known(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).count();
  }
}
