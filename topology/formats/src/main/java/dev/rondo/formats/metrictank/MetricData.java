package dev.rondo.formats.metrictank;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A point with all that is known of its series. Filled anew for each. The organisation, unit, type
 * and interval are not kept.
 */
final class MetricData {
  private static final int ID_BYTES = 16;
  private static final int TOO_MANY_TAGS = 1000;

  /** The fields that count: msgpack has them as {@code Name}, JSON as {@code name}. */
  enum Field {
    ID,
    NAME,
    TAGS,
    VALUE,
    TIME,
    OTHER;

    private static final Field[] THAT_COUNT = {ID, NAME, TAGS, VALUE, TIME};

    /** Of a key in the first {@code length} bytes. */
    static Field of(byte[] key, int length) {
      for (Field field : THAT_COUNT) {
        if (field.is(key, length)) {
          return field;
        }
      }
      return OTHER;
    }

    private boolean is(byte[] other, int length) {
      String key = name();
      if (length != key.length()) {
        return false;
      }
      for (int at = 0; at < length; at++) {
        if ((other[at] & ~0x20) != key.charAt(at)) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<String> tags = new ArrayList<>();
  private String id;
  private String name;
  private double value;
  private double timeS;
  private boolean hasValue;
  private boolean hasTime;

  void clear() {
    tags.clear();
    id = null;
    name = null;
    hasValue = false;
    hasTime = false;
  }

  /** Sets a text; of {@code TAGS} it is one more. */
  void put(Field field, String text) {
    switch (field) {
      case ID -> id = text;
      case NAME -> name = text;
      case TAGS -> {
        if (tags.size() <= TOO_MANY_TAGS) {
          tags.add(text);
        }
      }
      default -> {}
    }
  }

  /** Sets a number; {@code TIME} is epoch seconds. */
  void put(Field field, double number) {
    switch (field) {
      case VALUE -> {
        value = number;
        hasValue = true;
      }
      case TIME -> {
        timeS = number;
        hasTime = true;
      }
      default -> {}
    }
  }

  /** Whether all is there that a point needs. */
  boolean isComplete() {
    return name != null && hasValue && hasTime;
  }

  /** Name and tags. */
  Definition definition() throws DroppedException {
    if (name == null) {
      throw DroppedException.unreadable("MetricData without Name");
    }
    if (tags.size() > TOO_MANY_TAGS) {
      throw DroppedException.unreadable(
          "more than " + TOO_MANY_TAGS + " Tags: '" + Excerpt.of(name) + "'");
    }
    return new Definition(name, tags);
  }

  double value() throws DroppedException {
    return there(hasValue, value, "Value");
  }

  /** Epoch seconds. */
  double timeS() throws DroppedException {
    return there(hasTime, timeS, "Time");
  }

  private double there(boolean isThere, double number, String field) throws DroppedException {
    if (!isThere) {
      throw DroppedException.unreadable(
          "MetricData without " + field + ": '" + Excerpt.of(name) + "'");
    }
    return number;
  }

  /** The id by which points name this series: what follows the organisation; null for none. */
  byte[] id() {
    int from = id == null ? 0 : id.indexOf('.') + 1;
    if (id == null || id.length() - from != 2 * ID_BYTES) {
      return null;
    }
    try {
      return HexFormat.of().parseHex(id, from, id.length());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
