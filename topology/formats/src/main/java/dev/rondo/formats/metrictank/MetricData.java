package dev.rondo.formats.metrictank;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A point and the definition of its series. Reused for each point. Ignores organisation, unit, type
 * and interval.
 */
final class MetricData {
  private static final int ID_BYTES = 16;
  private static final int TOO_MANY_TAGS = 1000;

  /** The fields used; msgpack spells them {@code Name}, JSON {@code name}. */
  enum Field {
    ID,
    NAME,
    TAGS,
    VALUE,
    TIME,
    OTHER;

    private static final Field[] USED = {ID, NAME, TAGS, VALUE, TIME};

    /** The field of a key in the first {@code length} bytes. */
    static Field of(byte[] key, int length) {
      for (Field field : USED) {
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

  /** Sets a text field; for {@code TAGS}, adds a tag. */
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

  /** Sets a number field; {@code TIME} is epoch seconds. */
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

  /** Whether all fields of a point are present. */
  boolean isComplete() {
    return name != null && hasValue && hasTime;
  }

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
    return required(hasValue, value, "Value");
  }

  /** Epoch seconds. */
  double timeS() throws DroppedException {
    return required(hasTime, timeS, "Time");
  }

  private double required(boolean isPresent, double number, String field) throws DroppedException {
    if (!isPresent) {
      throw DroppedException.unreadable(
          "MetricData without " + field + ": '" + Excerpt.of(name) + "'");
    }
    return number;
  }

  /**
   * Returns the id of the series in MetricPoints: the part after the organisation; null if invalid.
   */
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
