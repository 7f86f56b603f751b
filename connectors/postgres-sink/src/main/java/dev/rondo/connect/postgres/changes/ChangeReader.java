package dev.rondo.connect.postgres.changes;

import java.util.List;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * What a record asks for, told by its shape and not by its topic or converter: a value with {@code
 * dp} is a {@link Row}, or a {@link Refill} where it has been sent again, one with {@code ident} a
 * {@link Series}, no value under a text key a {@link Retirement}. Fields are those of {@code
 * BundleRow.avsc} and {@code SeriesEntry.avsc}; more fields do no harm, and {@code whisper} may be
 * missing. What PostgreSQL would refuse is refused here, where it is known before: there it would
 * cost the whole put a second try.
 */
public final class ChangeReader {
  /** As the topology's. A row is an array in memory: a wrong number must not take all of it. */
  static final int MOST_WIDTH = 2_000;

  /** Header of what {@code ./rondo dead-letters resend} has sent. */
  private static final String RESENT = "rondo.resent";

  private static final List<String> FUNCTIONS = List.of("wmean", "min", "max", "last", "sum");

  /** End of the year 9999: a time in microseconds, taken for one in milliseconds, is after it. */
  static final long LAST_MS = 253_402_300_799_999L;

  private ChangeReader() {}

  /**
   * Reads what a record asks for.
   *
   * @throws DataException when the record is none of the three, or lacks a field, or a number is
   *     outside its bounds
   */
  public static Change read(SinkRecord record) {
    if (record.value() == null) {
      return retirement(record.key());
    }
    var fields = Fields.of(record.value());
    if (fields.has("dp")) {
      Row row = row(fields);
      return record.headers().lastWithName(RESENT) == null ? row : new Refill(row);
    }
    if (fields.has("ident")) {
      return series(fields);
    }
    throw new DataException(
        "%s has neither dp (a bundle row) nor ident (a series): check %s"
            .formatted(
                fields.name(),
                fields.has("payload") ? "value.converter.schemas.enable" : "topics"));
  }

  private static Retirement retirement(Object key) {
    if (key instanceof String ident) {
      return new Retirement(Ident.parse(ident));
    }
    throw new DataException(
        "no value under a key that is no ident text (%s): only series are retired; check key.converter"
            .formatted(key == null ? "none" : key.getClass().getSimpleName()));
  }

  private static Row row(Fields fields) {
    var bundle =
        new Bundle(
            fields.text("policy"),
            function(fields),
            fields.whole("step_ms", 1, LAST_MS),
            fields.whole("size", 1, Integer.MAX_VALUE));
    int i = fields.whole("i", 0, bundle.size() - 1);
    long endMs = fields.whole("t", 0, LAST_MS);
    checkIndex(bundle, i, endMs);
    int width = fields.whole("width", 1, MOST_WIDTH);
    return new Row(
        new Row.Key(bundle, fields.whole("seg", 0, Integer.MAX_VALUE), i),
        width,
        fields.share("xff"),
        fields.flag("whisper"),
        endMs,
        fields.values("dp", width));
  }

  private static Series series(Fields fields) {
    return new Series(
        Ident.parse(fields.text("ident")),
        new Series.Place(
            fields.text("policy"),
            fields.whole("seg", 0, Integer.MAX_VALUE),
            fields.whole("pos", 1, Integer.MAX_VALUE)),
        fields.whole("valid_from", 0, LAST_MS));
  }

  private static String function(Fields fields) {
    String cf = fields.text("cf");
    if (!FUNCTIONS.contains(cf)) {
      throw new DataException("cf is '%s', none of %s".formatted(cf, String.join(", ", FUNCTIONS)));
    }
    return cf;
  }

  /** Readers look for a time where its index says: a row elsewhere would never be seen. */
  private static void checkIndex(Bundle bundle, int i, long endMs) {
    long index = endMs / bundle.stepMs() % bundle.size();
    if (endMs % bundle.stepMs() != 0 || i != index) {
      throw new DataException(
          "t %d is not the end of slot i %d: with step_ms %d and size %d that is i %d%s"
              .formatted(
                  endMs,
                  i,
                  bundle.stepMs(),
                  bundle.size(),
                  index,
                  endMs % bundle.stepMs() == 0 ? "" : ", and t no multiple of step_ms"));
    }
  }
}
