package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.PastTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many letters there are, by reason and topic. */
final class DeadLetterSummary {
  private static final String LINE = "%9s  %9s  %12s  %-24s  %-24s  %-22s %s";

  private final Map<String, Row> rows = new TreeMap<>();

  /** The letters of one reason and topic. */
  private static final class Row {
    private final String reason;
    private final String topic;
    private long letters;
    private long count;
    private long bytes;
    private long firstMs = Long.MAX_VALUE;
    private long lastMs = Long.MIN_VALUE;

    Row(String reason, String topic) {
      this.reason = reason;
      this.topic = topic;
    }

    void add(DeadLetter letter) {
      letters++;
      count += letter.count();
      bytes += letter.bytes();
      firstMs = Math.min(firstMs, letter.timeMs());
      lastMs = Math.max(lastMs, letter.timeMs());
    }

    String line() {
      return LINE.formatted(
          letters, count, bytes, PastTime.show(firstMs), PastTime.show(lastMs), reason, topic);
    }
  }

  void add(DeadLetter letter) {
    String topic = letter.source().topic();
    rows.computeIfAbsent(letter.reason() + "\0" + topic, key -> new Row(letter.reason(), topic))
        .add(letter);
  }

  List<String> lines() {
    if (rows.isEmpty()) {
      return List.of("no dead letters");
    }
    List<String> lines = new ArrayList<>();
    lines.add(LINE.formatted("letters", "points", "bytes", "first", "last", "reason", "topic"));
    rows.values().forEach(row -> lines.add(row.line()));
    return lines;
  }
}
