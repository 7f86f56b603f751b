package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;

/** What an import did, and which files it left out. Thread-safe. */
final class ImportReport implements AutoCloseable {
  private static final int SHOWN = 10;

  private final Writer all;
  private final List<String> shown = new ArrayList<>();
  private final Map<String, Integer> otherMethods = new TreeMap<>();
  private final SortedSet<String> without = new TreeSet<>();
  private int leftOut;

  final LongAdder files = new LongAdder();
  final LongAdder rows = new LongAdder();
  final LongAdder values = new LongAdder();

  private ImportReport(Writer all) {
    this.all = all;
  }

  /** Begins a report; null: only the first files that are left out are kept. */
  static ImportReport begin(Path file) throws IOException {
    return new ImportReport(file == null ? null : Files.newBufferedWriter(file, UTF_8));
  }

  /** A file of which nothing, or not all, is stored. */
  synchronized void leftOut(String file, String reason) {
    leftOut++;
    String line = file + ": " + reason;
    if (shown.size() < SHOWN) {
      shown.add(line);
    }
    if (all != null) {
      try {
        all.write(line + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException("--report: " + e.getMessage(), e);
      }
    }
  }

  /** A file whose method is not the function by which its policy is shown. */
  synchronized void otherMethod(String text) {
    otherMethods.merge(text, 1, Integer::sum);
  }

  /** Slots of archives that have none of that time. */
  synchronized void without(Collection<String> slots) {
    without.addAll(slots);
  }

  /** Lines for people: methods that differ, and what was left out. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    otherMethods.forEach((text, count) -> lines.add("warning: %d files %s".formatted(count, text)));
    without.forEach(slots -> lines.add("warning: without " + slots));
    if (leftOut > 0) {
      lines.add("left out: %d files".formatted(leftOut));
      shown.forEach(line -> lines.add("  " + line));
      if (leftOut > shown.size()) {
        lines.add(
            "  and %d more%s"
                .formatted(
                    leftOut - shown.size(), all == null ? " (--report=FILE lists all)" : ""));
      }
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    if (all != null) {
      all.close();
    }
  }
}
