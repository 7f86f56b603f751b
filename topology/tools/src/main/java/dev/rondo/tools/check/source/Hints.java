package dev.rondo.tools.check.source;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.mapping.SchemaProposal;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.CheckedRecord.Drop;
import dev.rondo.tools.check.record.CheckedRecord.Point;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.topology.order.SourceStreamTime;
import dev.rondo.topology.source.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.record.TimestampType;

/** Derives hints for better settings from the records. */
public final class Hints {
  private static final long MUCH_DISORDER_MS = 10_000;

  private final Source source;
  private final List<CheckedRecord> records;
  private final SampleSummary summary;
  private final List<String> hints = new ArrayList<>();

  private Hints(Source source, List<CheckedRecord> records, SampleSummary summary) {
    this.source = source;
    this.records = records;
    this.summary = summary;
  }

  /** One sentence per hint; empty if the settings fit. */
  public static List<String> of(Source source, List<CheckedRecord> records, SampleSummary summary) {
    Hints hints = new Hints(source, records, summary);
    if (!records.isEmpty()) {
      hints.format();
      hints.times();
      hints.disorder();
      hints.policy();
      hints.collisions();
      hints.ids();
      hints.keyed();
    }
    return hints.hints;
  }

  private void format() {
    if (source.format() == Format.AUTO && summary.stored() > 0) {
      Set<Format> seen = EnumSet.noneOf(Format.class);
      records.forEach(record -> seen.add(record.format()));
      hints.add(
          seen.size() == 1
              ? "all records are %s: set format: %1$s".formatted(seen.iterator().next().key())
              : "the topic has records in several formats: %s"
                  .formatted(String.join(", ", seen.stream().map(Format::key).toList())));
    } else if (summary.stored() == 0 && summary.dropped().containsKey(DropReason.UNREADABLE)) {
      otherFormat();
    }
  }

  /** Suggests the format that finds the most points in the unreadable records. */
  private void otherFormat() {
    Format best = null;
    long most = 0;
    for (Format format : Format.values()) {
      boolean isOther = format != Format.AUTO && format != source.format() && !format.needsSchema();
      long points = isOther ? points(format) : 0;
      if (points > most) {
        best = format;
        most = points;
      }
    }
    if (best != null) {
      hints.add("the records look like %s: set format: %1$s (--format=%1$s)".formatted(best.key()));
    } else if (!source.format().needsSchema()
        && records.stream().allMatch(record -> SchemaProposal.isFramed(record.record()))) {
      hints.add(
          "the records name schemas of a registry: --registry=URL proposes a source"
              + " (docs/how-to/schema-registry.md)");
    }
  }

  private long points(Format format) {
    Counting counting = new Counting();
    var decoder = format.decoder(source.settings().ofAnyFormat());
    for (CheckedRecord record : records) {
      if (record.record().value() != null) {
        decoder.decode(record.record().value(), record.writtenMs(), counting);
      }
    }
    return counting.points;
  }

  private void times() {
    if (summary.stored() == 0
        && records.stream()
            .flatMap(record -> record.drops().stream())
            .anyMatch(Drop::isDecadesOff)) {
      hints.add(
          "the times are decades off: %s"
              .formatted(
                  source.format().takesTimeUnit()
                      ? "set time.unit: s, ms, us or ns (--time-unit)"
                      : "the sender's clock or the format is wrong"));
    }
  }

  /**
   * Reports record times that are out of order within a partition. Points of keyed sources are not
   * merged, so they do not wait.
   */
  private void disorder() {
    Map<Integer, SourceStreamTime> streamTimes = new HashMap<>();
    for (CheckedRecord checked : records) {
      var record = checked.record();
      streamTimes
          .computeIfAbsent(record.partition(), partition -> new SourceStreamTime())
          .add(checked.writtenMs(), record.timestampType() != TimestampType.LOG_APPEND_TIME);
    }
    long disorderMs =
        streamTimes.values().stream().mapToLong(SourceStreamTime::behindMs).max().orElse(0);
    if (!source.isKeyed() && disorderMs > MUCH_DISORDER_MS) {
      hints.add(
          ("record times are %d s out of order: in a backlog points are buffered for that much longer;"
                  + " set message.timestamp.type=LogAppendTime")
              .formatted(disorderMs / 1000));
    }
  }

  private void policy() {
    if (summary.dropped().containsKey(DropReason.NO_POLICY)) {
      hints.add(
          "series without a policy are not stored: add a policy that matches (policies.file)");
    }
  }

  /** Names a series of which two records have different values of one time. */
  private void collisions() {
    Map<String, Double> values = new HashMap<>();
    for (CheckedRecord record : records) {
      for (Point point : record.points()) {
        Double before = values.putIfAbsent(point.ident() + " " + point.tMs(), point.value());
        if (before != null && before != point.value() && !point.policy().addsUp()) {
          hints.add(
              "'%s' has the values %s and %s at %s: two senders have the series, or what tells them apart is left out of its name (labels, template, mapping)"
                  .formatted(
                      point.ident(), before, point.value(), Instant.ofEpochMilli(point.tMs())));
          return;
        }
      }
    }
  }

  private void ids() {
    if (source.format().needsDefinitions()
        && summary.dropped().containsKey(DropReason.UNKNOWN_ID)) {
      hints.add(
          "older records than those read may define the unknown ids: read more (--records,"
              + " --from)");
    }
  }

  private void keyed() {
    if (source.isKeyed() && !summary.spread().inSeveral().isEmpty()) {
      hints.add(
          "the source is keyed, but series change partitions: their values would be wrong;"
              + " remove keyed: true");
    }
  }

  private static final class Counting implements PointSink {
    private long points;

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      points++;
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      // counts points only
    }
  }
}
