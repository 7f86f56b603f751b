package dev.rondo.tools.check;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Format;
import dev.rondo.formats.PointSink;
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

/** What should be set otherwise, as far as the records emit. */
final class Hints {
  /** Kafka is younger: points of before have a wrong unit of time. */
  private static final long OLDEST_MS = Instant.parse("2001-01-01T00:00:00Z").toEpochMilli();

  private static final long MUCH_DISORDER_MS = 10_000;

  private final Source source;
  private final List<CheckedRecord> records;
  private final Summary summary;
  private final List<String> hints = new ArrayList<>();

  private Hints(Source source, List<CheckedRecord> records, Summary summary) {
    this.source = source;
    this.records = records;
    this.summary = summary;
  }

  /** Sentences; none where all is well. */
  static List<String> of(Source source, List<CheckedRecord> records, Summary summary) {
    Hints hints = new Hints(source, records, summary);
    if (!records.isEmpty()) {
      hints.format();
      hints.times();
      hints.disorder();
      hints.policy();
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
              ? "all of it is %s: set format: %1$s".formatted(seen.iterator().next().key())
              : "the topic has records of several formats: %s"
                  .formatted(String.join(", ", seen.stream().map(Format::key).toList())));
    } else if (summary.stored() == 0 && summary.dropped().containsKey(DropReason.UNREADABLE)) {
      otherFormat();
    }
  }

  /** The one that finds the most points in what could not be read. */
  private void otherFormat() {
    Format best = null;
    long most = 0;
    for (Format format : Format.values()) {
      long points = format == Format.AUTO || format == source.format() ? 0 : points(format);
      if (points > most) {
        best = format;
        most = points;
      }
    }
    if (best != null) {
      hints.add("this looks like %s: set format: %1$s (--format=%1$s)".formatted(best.key()));
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
    boolean isOld =
        summary.stored() > 0
            && records.stream()
                .flatMap(record -> record.points().stream())
                .allMatch(point -> point.tMs() < OLDEST_MS);
    boolean isFuture =
        summary.stored() == 0 && summary.dropped().containsKey(DropReason.TOO_FAR_IN_THE_FUTURE);
    if (isOld || isFuture) {
      hints.add(
          "no time is of these years: %s"
              .formatted(
                  source.format().takesTimeUnit()
                      ? "set time.unit: s, ms, us or ns (--time-unit)"
                      : "the sender's clock, or the format, is wrong"));
    }
  }

  /** Within a partition; a keyed source has nothing to wait for. */
  private void disorder() {
    Map<Integer, SourceStreamTime> fronts = new HashMap<>();
    for (CheckedRecord checked : records) {
      var record = checked.record();
      fronts
          .computeIfAbsent(record.partition(), partition -> new SourceStreamTime())
          .add(checked.writtenMs(), record.timestampType() != TimestampType.LOG_APPEND_TIME);
    }
    long disorderMs =
        fronts.values().stream().mapToLong(SourceStreamTime::behindMs).max().orElse(0);
    if (!source.isKeyed() && disorderMs > MUCH_DISORDER_MS) {
      hints.add(
          ("record times are %d s out of order: in a backlog points wait that much longer for each"
                  + " other; set message.timestamp.type=LogAppendTime")
              .formatted(disorderMs / 1000));
    }
  }

  private void policy() {
    if (summary.dropped().containsKey(DropReason.NO_POLICY)) {
      hints.add("series without a policy are not stored: add one that matches (policies.file)");
    }
  }

  private void ids() {
    if (source.format().needsDefinitions()
        && summary.dropped().containsKey(DropReason.UNKNOWN_ID)) {
      hints.add(
          "ids are named by records that may be older than those looked at: read more"
              + " (--records, --from)");
    }
  }

  private void keyed() {
    if (source.isKeyed() && !summary.spread().inSeveral().isEmpty()) {
      hints.add(
          "the source is keyed, but series change partitions: their values would be wrong;"
              + " take keyed: true away");
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
      // only what can be read counts here
    }
  }
}
