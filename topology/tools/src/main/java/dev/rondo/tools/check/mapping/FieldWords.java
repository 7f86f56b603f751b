package dev.rondo.tools.check.mapping;

import dev.rondo.formats.mapping.Shape.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a field is likely to hold, by its name and kind. */
final class FieldWords {
  /** Names of a series, the likeliest first. */
  static final List<String> NAMES =
      List.of("metric", "metricname", "name", "series", "measurement", "path", "target", "key");

  private static final Set<String> TIMES =
      Set.of(
          "time",
          "timestamp",
          "ts",
          "at",
          "date",
          "datetime",
          "epoch",
          "timems",
          "timestampms",
          "eventtime",
          "createdat",
          "measuredat",
          "observedat",
          "recordedat");

  private static final Set<String> VALUES =
      Set.of("value", "val", "v", "reading", "gauge", "values", "metrics", "gauges");

  private static final Set<String> LABELS =
      Set.of("labels", "tags", "attributes", "dimensions", "attrs", "dims", "metadata");

  /** Differ with each record, so that each would be a series of its own. */
  private static final Set<String> UNIQUE =
      Set.of(
          "uuid",
          "guid",
          "eventid",
          "messageid",
          "requestid",
          "recordid",
          "traceid",
          "spanid",
          "correlationid",
          "transactionid",
          "message",
          "msg",
          "description",
          "comment",
          "text",
          "error",
          "url",
          "body",
          "payload");

  private static final Set<String> NO_VALUES =
      Set.of("version", "schemaversion", "partition", "offset", "sequence", "seq", "port", "pid");

  private static final Set<String> POSITIONS = Set.of("id", "index", "idx", "number", "no", "nr");

  /** Part of a field in the points. */
  enum Role {
    NAME,
    TAG,
    TIME,
    VALUE,
    NONE
  }

  private FieldWords() {}

  /**
   * The role of a field.
   *
   * @param item kind of the entries of a map; otherwise that of the field
   * @param isInLoop whether it is in an item of a list or map
   */
  static Role role(String field, Kind kind, Kind item, boolean isInLoop) {
    String word = word(field);
    return switch (kind) {
      case TIME -> Role.TIME;
      case NUMBER -> number(word, isInLoop);
      case BOOLEAN -> Role.VALUE;
      case TEXT -> text(word, isInLoop);
      case MAP -> map(word, item);
      case ANY -> VALUES.contains(word) ? Role.VALUE : Role.NONE;
      case RECORD, LIST, BYTES -> Role.NONE;
    };
  }

  /** Whether it is called like a value. */
  static boolean isValue(String field) {
    return VALUES.contains(word(field));
  }

  /** Lower case, without {@code _}. */
  static String word(String field) {
    return field.toLowerCase(Locale.ROOT).replace("_", "");
  }

  private static Role number(String word, boolean isInLoop) {
    if (TIMES.contains(word)) {
      return Role.TIME;
    }
    if (UNIQUE.contains(word) || NO_VALUES.contains(word)) {
      return Role.NONE;
    }
    if (POSITIONS.contains(word)) {
      return isInLoop ? Role.TAG : Role.NONE;
    }
    return word.endsWith("id") ? Role.TAG : Role.VALUE;
  }

  private static Role text(String word, boolean isInLoop) {
    if (NAMES.contains(word)) {
      return Role.NAME;
    }
    if (TIMES.contains(word)) {
      return Role.TIME;
    }
    if (POSITIONS.contains(word)) {
      return isInLoop ? Role.TAG : Role.NONE;
    }
    return UNIQUE.contains(word) ? Role.NONE : Role.TAG;
  }

  private static Role map(String word, Kind item) {
    return switch (item) {
      case NUMBER, BOOLEAN -> Role.VALUE;
      case TEXT -> LABELS.contains(word) ? Role.TAG : Role.NONE;
      case ANY -> VALUES.contains(word) ? Role.VALUE : Role.NONE;
      default -> Role.NONE;
    };
  }
}
