package dev.rondo.tools.check.source;

import dev.rondo.formats.DropReason;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.CheckedRecord.Drop;
import dev.rondo.tools.check.record.CheckedRecord.Event;
import dev.rondo.tools.check.record.CheckedRecord.Point;
import dev.rondo.tools.check.record.KeyText;
import dev.rondo.tools.check.record.PointAge;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.tools.policies.ArchiveText;
import dev.rondo.topology.source.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints a check as text. */
final class CheckText {
  private static final String ROW = "%9s %12s  %-24s  %-20s %9s  %s";
  private static final String FACT = "  %-11s %s";

  /** Points or drops shown of one record; a collector's batch has hundreds. */
  private static final int MAX_POINTS = 10;

  private final List<String> lines = new ArrayList<>();

  private CheckText() {}

  static List<String> lines(Check check) {
    CheckText text = new CheckText();
    text.source(check);
    text.records(check.records());
    text.summary(check);
    if (!check.proposal().isEmpty()) {
      text.lines.add("Sources file");
      check.proposal().forEach(line -> text.lines.add("  " + line));
    }
    if (!check.hints().isEmpty()) {
      text.lines.add("Hints");
      check.hints().forEach(hint -> text.lines.add("  " + hint));
    }
    return text.lines;
  }

  private void source(Check check) {
    Source source = check.source();
    lines.add(
        "Topic %s: %d partitions. Records: %d, %s. Format: %s (%s)."
            .formatted(
                source.topic(),
                check.partitions(),
                check.records().size(),
                check.from().text(),
                source.format().key(),
                check.origin()));
    lines.add("");
  }

  private void records(List<CheckedRecord> records) {
    lines.add(ROW.formatted("PARTITION", "OFFSET", "WRITTEN", "KEY", "BYTES", "FORMAT"));
    for (CheckedRecord record : records) {
      String key = KeyText.of(record.key());
      lines.add(
          ROW.formatted(
              record.record().partition(),
              record.record().offset(),
              Instant.ofEpochMilli(record.writtenMs()),
              key == null ? "none" : "'" + key + "'",
              record.bytes(),
              record.format().key()));
      first(record.points()).forEach(point -> lines.add(line(point)));
      more(record.points().size(), "points");
      first(record.events()).forEach(event -> lines.add(line(event)));
      more(record.events().size(), "events");
      first(record.drops()).forEach(drop -> lines.add(line(drop)));
      more(record.drops().size(), "drops");
    }
    lines.add("");
  }

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(all.size(), MAX_POINTS));
  }

  private void more(int all, String what) {
    if (all > MAX_POINTS) {
      lines.add("  … and %d more %s (--json has all)".formatted(all - MAX_POINTS, what));
    }
  }

  private static String line(Point point) {
    return "  %s  %s  %s  policy %s (%s)"
        .formatted(
            point.ident(),
            Instant.ofEpochMilli(point.tMs()),
            point.value(),
            point.policy().name(),
            String.join(", ", ArchiveText.of(point.policy())));
  }

  private static String line(Event event) {
    return "  %s  %s  %s"
        .formatted(
            event.what(),
            Instant.ofEpochMilli(event.tMs()),
            event.tags().isEmpty() ? "no tags" : "tags " + String.join(", ", event.tags()));
  }

  private static String line(Drop drop) {
    String series = drop.ident() == null ? "" : " series '" + drop.ident() + "':";
    String excerpt =
        drop.excerpt().isEmpty() || drop.detail().contains(drop.excerpt())
            ? ""
            : ": '" + drop.excerpt() + "'";
    return "  dropped, %s:%s %s%s".formatted(drop.reason().key(), series, drop.detail(), excerpt);
  }

  private void summary(Check check) {
    SampleSummary summary = check.summary();
    lines.add("Summary");
    fact(
        check.source().format().holdsPoints() ? "points" : "events",
        "%d would be stored; %d to %d per record"
            .formatted(
                summary.stored(), summary.perRecord().getMin(), summary.perRecord().getMax()));
    for (Map.Entry<DropReason, Integer> dropped : summary.dropped().entrySet()) {
      fact("dropped", "%d, %s".formatted(dropped.getValue(), dropped.getKey().key()));
    }
    fact("series", Integer.toString(summary.spread().series()));
    fact("keys", summary.keys().text());
    fact("partitions", summary.spread().text(summary.keys().without() > 0));
    fact("times", summary.age().text());
    fact(
        "newest",
        "record written %s ago".formatted(PointAge.show(check.nowMs() - summary.newestMs())));
  }

  private void fact(String name, String text) {
    lines.add(FACT.formatted(name, text));
  }
}
