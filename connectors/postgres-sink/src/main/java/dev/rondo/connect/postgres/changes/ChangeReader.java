package dev.rondo.connect.postgres.changes;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.deadletters.DeadLetterHeader;
import java.util.List;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Reads the change that a record asks for, by its shape and not by its topic or converter: a value
 * with {@code dp} is a {@link RowChange}; one with {@code ident} is a {@link Series}, or a {@link
 * Renaming} if it has {@code renamed_to}; no value under a text key is a {@link Retirement}; one
 * with {@code what} is an {@link Event}. Fields are those of {@code BundleRow.avsc}, {@code
 * SeriesEntry.avsc} and {@code Event.avsc}; other fields are ignored, and {@code whisper}, {@code
 * aggregate}, {@code source}, {@code renamed_to} and {@code renamed_at} may be missing. Values that
 * PostgreSQL would refuse are refused here: there they would cost the whole put a second attempt.
 */
public final class ChangeReader {
  /** The topology's limit. A row is an array in memory: a wrong number must not exhaust it. */
  static final int MAX_WIDTH = 2_000;

  private static final String DEFAULT_FUNCTION = "wmean";

  private static final List<String> FUNCTIONS =
      List.of(DEFAULT_FUNCTION, "min", "max", "last", "sum");

  /** End of the year 9999: microseconds mistaken for milliseconds are beyond it. */
  static final long MAX_TIME_MS = 253_402_300_799_999L;

  private ChangeReader() {}

  /**
   * Reads what a record asks for.
   *
   * @throws DataException when the record is none of these, or lacks a field, or a number is
   *     outside its bounds
   */
  public static Change read(SinkRecord record) {
    if (record.value() == null) {
      return retirement(record.key());
    }
    var fields = Fields.of(record.value());
    if (fields.has("dp")) {
      boolean isResent = record.headers().lastWithName(DeadLetterHeader.RESENT) != null;
      return row(fields, isResent ? WriteMode.FILL : WriteMode.OVERWRITE);
    }
    if (fields.has("ident")) {
      return series(fields);
    }
    if (fields.has("what")) {
      return event(fields);
    }
    throw new DataException(
        "%s has neither dp (a bundle row) nor ident (a series) nor what (an event): check %s"
            .formatted(
                fields.name(),
                fields.has("payload") ? "value.converter.schemas.enable" : "topics"));
  }

  private static Retirement retirement(Object key) {
    if (key instanceof String ident) {
      return new Retirement(Ident.parse(ident));
    }
    throw new DataException(
        "no value, and the key is not an ident text but %s: only series are retired; check key.converter"
            .formatted(key == null ? "none" : key.getClass().getSimpleName()));
  }

  private static RowChange row(Fields fields, WriteMode mode) {
    var bundle =
        new Bundle(
            fields.text("policy"),
            function(fields, "cf"),
            fields.whole("step_ms", 1, MAX_TIME_MS),
            fields.whole("size", 1, Integer.MAX_VALUE));
    int i = fields.whole("i", 0, bundle.size() - 1);
    long endMs = fields.whole("t", 0, MAX_TIME_MS);
    checkIndex(bundle, i, endMs);
    int width = fields.whole("width", 1, MAX_WIDTH);
    var key = new Row.Key(bundle, fields.whole("seg", 0, Integer.MAX_VALUE), i);
    var properties =
        new BundleProperties(
            fields.share("xff"),
            fields.flag("whisper"),
            fields.has("aggregate") ? function(fields, "aggregate") : DEFAULT_FUNCTION);
    return new RowChange(new Row(key, width, endMs, fields.values("dp", width)), properties, mode);
  }

  private static Change series(Fields fields) {
    Series series =
        new Series(
            Ident.parse(fields.text("ident")),
            new Series.Location(
                fields.text("policy"),
                fields.whole("seg", 0, Integer.MAX_VALUE),
                fields.whole("pos", 1, Integer.MAX_VALUE)),
            fields.whole("starts_at", 0, MAX_TIME_MS),
            textOrEmpty(fields, "source"));
    String renamedTo = textOrEmpty(fields, "renamed_to");
    return renamedTo.isEmpty()
        ? series
        : new Renaming(series, Ident.parse(renamedTo), fields.whole("renamed_at", 0, MAX_TIME_MS));
  }

  private static Event event(Fields fields) {
    return new Event(
        fields.text("origin"),
        fields.whole("t", 0, MAX_TIME_MS),
        fields.text("what"),
        fields.texts("tags"),
        textOrEmpty(fields, "data"));
  }

  /** Empty in records of earlier versions, too. */
  private static String textOrEmpty(Fields fields, String field) {
    return fields.has(field) && !"".equals(fields.get(field)) ? fields.text(field) : "";
  }

  private static String function(Fields fields, String field) {
    String function = fields.text(field);
    if (!FUNCTIONS.contains(function)) {
      throw new DataException(
          "%s is '%s', not one of %s".formatted(field, function, String.join(", ", FUNCTIONS)));
    }
    return function;
  }

  /** Readers compute the index from the time: a row at another index would never be found. */
  private static void checkIndex(Bundle bundle, int i, long endMs) {
    long index = endMs / bundle.stepMs() % bundle.size();
    if (endMs % bundle.stepMs() != 0 || i != index) {
      throw new DataException(
          "t %d does not end slot i %d: with step_ms %d and size %d its slot is i %d%s"
              .formatted(
                  endMs,
                  i,
                  bundle.stepMs(),
                  bundle.size(),
                  index,
                  endMs % bundle.stepMs() == 0 ? "" : ", and t is not a multiple of step_ms"));
    }
  }
}
