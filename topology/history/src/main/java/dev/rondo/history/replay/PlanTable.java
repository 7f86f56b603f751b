package dev.rondo.history.replay;

import dev.rondo.history.replay.ReplayPlan.Rewind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Prints a plan: one line per source partition, then the notes and the totals. */
final class PlanTable {
  private static final String ROW = "  %s %9s %12s %12s %12s  %s";

  private PlanTable() {}

  static List<String> lines(ReplayPlan plan) {
    int width = "TOPIC".length();
    for (Rewind rewind : plan.rewinds()) {
      width = Math.max(width, rewind.partition().topic().length());
    }
    List<String> lines = new ArrayList<>();
    lines.add(row(width, "TOPIC", "PARTITION", "NOW", "AFTER", "RECORDS", "WHY"));
    for (Rewind rewind : plan.rewinds()) {
      lines.add(
          row(
              width,
              rewind.partition().topic(),
              rewind.partition().partition(),
              now(rewind.source().committed()),
              rewind.after(),
              rewind.records(),
              rewind.reason()));
    }
    lines.addAll(plan.notes());
    lines.add(summary(plan));
    return lines;
  }

  private static String row(int width, String topic, Object... others) {
    String padded = topic + " ".repeat(width - topic.length());
    return ROW.formatted(padded, others[0], others[1], others[2], others[3], others[4]);
  }

  private static String now(OptionalLong committed) {
    return committed.isPresent() ? Long.toString(committed.getAsLong()) : "none";
  }

  private static String summary(ReplayPlan plan) {
    String topic = plan.skips().get(0).partition().topic();
    return "%d records will be read; %d records left in %s are skipped, because their points are read again."
        .formatted(plan.records(), plan.skipped(), topic);
  }
}
