package dev.rondo.formats.mapping;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Type of a part of a record, by its schema. Lazy, because types can contain themselves.
 *
 * @param name of the type, for error texts
 * @param fields of a record, in the order of the schema; empty otherwise
 * @param item of a list or map; null otherwise
 */
public record Shape(
    Kind kind, String name, Supplier<Map<String, Shape>> fields, Supplier<Shape> item) {

  public enum Kind {
    NUMBER("a number"),
    BOOLEAN("a boolean"),
    TEXT("text"),
    TIME("a time"),
    RECORD("a record"),
    MAP("a map"),
    LIST("a list"),
    BYTES("bytes"),
    /** Known only from the record: a union of several types, or JSON. */
    ANY("anything");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** A shape without parts. */
  public static Shape of(Kind kind) {
    return new Shape(kind, kind.text(), Map::of, () -> null);
  }

  public static Shape record(String name, Supplier<Map<String, Shape>> fields) {
    return new Shape(Kind.RECORD, name, fields, () -> null);
  }

  public static Shape collection(Kind kind, Supplier<Shape> item) {
    return new Shape(kind, kind.text(), Map::of, item);
  }
}
