package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.deadletters.read.DeadLetter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts dead letters by reason and topic. */
final class DeadLetterSummary {
  private static final String LINE = "%9s  %9s  %12s  %-24s  %-24s  %-22s %s";

  private final Map<String, Row> rows = new TreeMap<>();

  /** Counts of one reason and topic. */
  private static final class Row {
    private final String reason;
    private final String topic;
    private long deadLetters;
    private long count;
    private long bytes;
    private long firstMs = Long.MAX_VALUE;
    private long lastMs = Long.MIN_VALUE;

    Row(String reason, String topic) {
      this.reason = reason;
      this.topic = topic;
    }

    void add(DeadLetter deadLetter) {
      deadLetters++;
      count += deadLetter.count();
      bytes += deadLetter.bytes();
      firstMs = Math.min(firstMs, deadLetter.timeMs());
      lastMs = Math.max(lastMs, deadLetter.timeMs());
    }

    String line() {
      return LINE.formatted(
          deadLetters, count, bytes, PastTime.show(firstMs), PastTime.show(lastMs), reason, topic);
    }
  }

  void add(DeadLetter deadLetter) {
    String topic = deadLetter.source().topic();
    rows.computeIfAbsent(
            deadLetter.reason() + "\0" + topic, key -> new Row(deadLetter.reason(), topic))
        .add(deadLetter);
  }

  List<String> lines() {
    if (rows.isEmpty()) {
      return List.of("no dead letters");
    }
    List<String> lines = new ArrayList<>();
    lines.add(LINE.formatted("records", "points", "bytes", "first", "last", "reason", "topic"));
    rows.values().forEach(row -> lines.add(row.line()));
    return lines;
  }
}
