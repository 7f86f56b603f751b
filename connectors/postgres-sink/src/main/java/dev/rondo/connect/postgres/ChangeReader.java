package dev.rondo.connect.postgres;

import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * What a record asks for, told by its shape and not by its topic or converter: a struct with {@code
 * dp} is a {@link Row}, one with {@code ident} a {@link Series}, no value under a text key a {@link
 * Retirement}. Fields are those of {@code BundleRow.avsc} and {@code SeriesEntry.avsc}; more fields
 * do no harm, and {@code whisper} may be missing.
 */
final class ChangeReader {
  private ChangeReader() {}

  /**
   * @throws DataException when the record is none of the three, or lacks a field, or a number is
   *     outside its bounds
   */
  static Change read(SinkRecord record) {
    if (record.value() == null) {
      return retirement(record.key());
    }
    if (!(record.value() instanceof Struct struct)) {
      throw new DataException(
          "value is a %s, not a struct with a schema: check value.converter"
              .formatted(record.value().getClass().getSimpleName()));
    }
    if (struct.schema().field("dp") != null) {
      return row(struct);
    }
    if (struct.schema().field("ident") != null) {
      return series(struct);
    }
    throw new DataException(
        "struct %s has neither dp (a bundle row) nor ident (a series): check topics"
            .formatted(struct.schema().name()));
  }

  private static Change retirement(Object key) {
    if (key instanceof String ident) {
      return new Retirement(Ident.parse(ident));
    }
    throw new DataException(
        "no value under a key that is no ident text (%s): only series are retired; check key.converter"
            .formatted(key == null ? "none" : key.getClass().getSimpleName()));
  }

  private static Row row(Struct struct) {
    var bundle =
        new Bundle(
            text(struct, "policy"),
            text(struct, "cf"),
            number(struct, "step_ms").longValue(),
            number(struct, "size").intValue());
    int i = number(struct, "i").intValue();
    if (i < 0 || i >= bundle.size()) {
      throw new DataException("i %d is outside 0..size-1, size %d".formatted(i, bundle.size()));
    }
    int width = number(struct, "width").intValue();
    double[] dp = values(struct.getArray("dp"));
    if (dp.length > width) {
      throw new DataException("dp has %d values, width is %d".formatted(dp.length, width));
    }
    return new Row(
        new Row.Key(bundle, number(struct, "seg").intValue(), i),
        width,
        number(struct, "xff").doubleValue(),
        whisper(struct),
        number(struct, "t").longValue(),
        dp);
  }

  private static Series series(Struct struct) {
    return new Series(
        Ident.parse(text(struct, "ident")),
        new Series.Place(
            text(struct, "policy"),
            number(struct, "seg").intValue(),
            number(struct, "pos").intValue()),
        number(struct, "born").longValue());
  }

  private static String text(Struct struct, String field) {
    if (struct.get(field) instanceof String text) {
      return text;
    }
    throw wrongField(struct, field, "text");
  }

  /** Rows of converters that do not know the field are of a policy with a heartbeat. */
  private static boolean whisper(Struct struct) {
    if (struct.schema().field("whisper") == null) {
      return false;
    }
    if (struct.get("whisper") instanceof Boolean whisper) {
      return whisper;
    }
    throw wrongField(struct, "whisper", "true or false");
  }

  private static Number number(Struct struct, String field) {
    if (struct.get(field) instanceof Number number) {
      return number;
    }
    throw wrongField(struct, field, "a number");
  }

  private static DataException wrongField(Struct struct, String field, String wanted) {
    return new DataException(
        "field %s of %s is %s, not %s"
            .formatted(field, struct.schema().name(), struct.get(field), wanted));
  }

  /** A null element, which is how JSON says NaN, is unknown. */
  private static double[] values(List<?> elements) {
    if (elements == null) {
      throw new DataException("field dp is null, not an array of numbers");
    }
    var values = new double[elements.size()];
    for (int p = 0; p < values.length; p++) {
      Object element = elements.get(p);
      if (element != null && !(element instanceof Number)) {
        throw new DataException("dp[%d] is '%s', not a number".formatted(p + 1, element));
      }
      values[p] = element == null ? Double.NaN : ((Number) element).doubleValue();
    }
    return values;
  }
}
