package dev.rondo.connect.postgres.changes;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/**
 * Fields of a record's value: a struct with a schema, or a map without one, as from {@code
 * JsonConverter} with {@code schemas.enable=false}. Numbers may have any type within their bounds,
 * so that transformations may cast them.
 */
abstract class Fields {
  private static final int SHOWN_LENGTH = 100;

  /**
   * Wraps {@code value}.
   *
   * @throws DataException when it has no fields
   */
  static Fields of(Object value) {
    if (value instanceof Struct struct) {
      return new OfStruct(struct);
    }
    if (value instanceof Map<?, ?> map) {
      return new OfMap(map);
    }
    throw new DataException(
        "value is a %s, not a struct or a map: check value.converter"
            .formatted(value.getClass().getSimpleName()));
  }

  abstract boolean has(String field);

  /** Returns null where the field is missing. */
  abstract Object get(String field);

  /** Name of the struct or map, for messages. */
  abstract String name();

  /**
   * Returns a text field.
   *
   * @throws DataException when it is missing, not text, empty, or text that PostgreSQL cannot store
   */
  String text(String field) {
    if (get(field) instanceof String text && !text.isEmpty()) {
      return StorableText.check(field, text);
    }
    throw wrong(field, "text");
  }

  /** Returns texts; none where the field is missing. */
  List<String> texts(String field) {
    if (!has(field)) {
      return List.of();
    }
    if (!(get(field) instanceof List<?> elements)) {
      throw wrong(field, "an array of texts");
    }
    var texts = new ArrayList<String>(elements.size());
    for (Object element : elements) {
      if (!(element instanceof String text)) {
        throw wrong(field, "an array of texts");
      }
      texts.add(StorableText.check(field, text));
    }
    return texts;
  }

  /** Returns a boolean field, false where it is missing. */
  boolean flag(String field) {
    Object value = get(field);
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value == null) {
      return false;
    }
    throw wrong(field, "true or false");
  }

  /** Returns a whole number within bounds. */
  int whole(String field, int least, int most) {
    return (int) whole(field, (long) least, (long) most);
  }

  /** Returns a whole number within bounds. */
  long whole(String field, long least, long most) {
    Number number = number(field);
    if (isWhole(number)) {
      long value = number.longValue();
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw wrong(field, "a whole number in %d..%d".formatted(least, most));
  }

  private static boolean isWhole(Number number) {
    if (number instanceof Long || number instanceof Integer) {
      return true;
    }
    try {
      new BigDecimal(number.toString()).longValueExact();
      return true;
    } catch (ArithmeticException | NumberFormatException e) { // a fraction, too large, NaN
      return false;
    }
  }

  /** Returns a number in 0..1. */
  double share(String field) {
    double value = number(field).doubleValue();
    if (value >= 0 && value <= 1) {
      return value;
    }
    throw wrong(field, "in 0..1");
  }

  /** Returns values by position; null and infinite values become NaN: unknown. */
  double[] values(String field, int most) {
    if (!(get(field) instanceof List<?> elements)) {
      throw wrong(field, "an array of numbers");
    }
    if (elements.size() > most) {
      throw new DataException(
          "%s has %d values, width is %d".formatted(field, elements.size(), most));
    }
    var values = new double[elements.size()];
    for (int p = 0; p < values.length; p++) {
      values[p] = value(field, p + 1, elements.get(p));
    }
    return values;
  }

  private static double value(String field, int position, Object element) {
    if (element == null) {
      return Double.NaN; // unknown in JSON, which has no NaN
    }
    if (!(element instanceof Number number)) {
      throw new DataException(
          "%s[%d] is '%s', not a number".formatted(field, position, shown(element)));
    }
    double value = number.doubleValue();
    return Double.isInfinite(value) ? Double.NaN : value;
  }

  private Number number(String field) {
    if (get(field) instanceof Number number) {
      return number;
    }
    throw wrong(field, "a number");
  }

  private DataException wrong(String field, String wanted) {
    Object value = get(field);
    return new DataException(
        has(field)
            ? "field %s of %s is %s, not %s".formatted(field, name(), shown(value), wanted)
            : "field %s of %s is missing".formatted(field, name()));
  }

  private static String shown(Object value) {
    String text = String.valueOf(value);
    return text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "…";
  }

  private static final class OfStruct extends Fields {
    private final Struct struct;

    OfStruct(Struct struct) {
      this.struct = struct;
    }

    @Override
    boolean has(String field) {
      return struct.schema().field(field) != null;
    }

    @Override
    Object get(String field) {
      return has(field) ? struct.get(field) : null;
    }

    @Override
    String name() {
      String name = struct.schema().name();
      return name == null ? "a struct without a name" : name;
    }
  }

  private static final class OfMap extends Fields {
    private final Map<?, ?> map;

    OfMap(Map<?, ?> map) {
      this.map = map;
    }

    @Override
    boolean has(String field) {
      return map.containsKey(field);
    }

    @Override
    Object get(String field) {
      return map.get(field);
    }

    @Override
    String name() {
      return "a map";
    }
  }
}
