package dev.rondo.tools.check.mapping;

import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Shape.Kind;
import dev.rondo.tools.check.mapping.FieldWords.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields of which a record has one, or one for each item of a list or map of records.
 *
 * <pre>
 *   {host, at, samples: [{metric, value}]}     prefix ""            host, at
 *                                              prefix samples[]     metric, value
 * </pre>
 */
final class Level {
  private static final int MAX_LOOPS = 3;

  /** Names that a path can have as a step. */
  private static final Pattern IN_PATHS = Pattern.compile("[^.\\[\\]{}?\\s]+");

  /** Types that use others twice, which do the same, have very many fields. */
  private static final int MAX_FIELDS = 10_000;

  /**
   * A field.
   *
   * @param steps names from the record or item to it, joined by dots
   * @param last of the names
   */
  record Field(String steps, String last, Kind kind, Role role) {}

  private final String prefix;
  private final Level outer;
  private final boolean isMap;
  private final int loops;
  private final List<Field> fields = new ArrayList<>();

  private Level(String prefix, Level outer, boolean isMap) {
    this.prefix = prefix;
    this.outer = outer;
    this.isMap = isMap;
    this.loops = outer == null ? 0 : outer.loops + 1;
  }

  /** All levels of a record, the outer ones first. */
  static List<Level> of(Shape record) {
    Level root = new Level("", null, false);
    List<Level> levels = new ArrayList<>(List.of(root));
    root.add(record, "", Set.of(), levels, new int[1]);
    return levels;
  }

  /**
   * Adds the fields of a record.
   *
   * @param before steps to the record, each with a dot
   * @param within types around the record: one that contains itself has no end
   */
  private void add(
      Shape record, String before, Set<String> within, List<Level> levels, int[] seen) {
    if (within.contains(record.name())) {
      return;
    }
    Set<String> types = new HashSet<>(within);
    types.add(record.name());
    for (Map.Entry<String, Shape> entry : record.fields().get().entrySet()) {
      if (++seen[0] > MAX_FIELDS) {
        return;
      }
      if (!IN_PATHS.matcher(entry.getKey()).matches()) {
        continue;
      }
      String steps = before + entry.getKey();
      Shape shape = entry.getValue();
      boolean isCollection = shape.kind() == Kind.LIST || shape.kind() == Kind.MAP;
      Shape item = isCollection ? shape.item().get() : shape;
      if (shape.kind() == Kind.RECORD) {
        add(shape, steps + ".", types, levels, seen);
      } else if (isCollection && item.kind() == Kind.RECORD) {
        if (loops < MAX_LOOPS) {
          Level inner = new Level(path(steps) + "[]", this, shape.kind() == Kind.MAP);
          levels.add(inner);
          inner.add(item, "", types, levels, seen);
        }
      } else {
        Role role = FieldWords.role(entry.getKey(), shape.kind(), item.kind(), loops > 0);
        fields.add(new Field(steps, entry.getKey(), shape.kind(), role));
      }
    }
  }

  /** The path of a field of this level. */
  String path(String steps) {
    return prefix.isEmpty() ? steps : prefix + "." + steps;
  }

  /** This one and those around it, the innermost first. */
  List<Level> outwards() {
    List<Level> levels = new ArrayList<>();
    for (Level at = this; at != null; at = at.outer) {
      levels.add(at);
    }
    return levels;
  }

  List<Field> fields(Role role) {
    return fields.stream().filter(field -> field.role() == role).toList();
  }

  /** Whether its items are entries of a map, which have keys. */
  boolean isMap() {
    return isMap;
  }

  /** How much it looks like measured values; 0 if it has none. */
  int score() {
    List<Field> values = fields(Role.VALUE);
    if (values.isEmpty()) {
      return 0;
    }
    boolean isNamed = values.stream().anyMatch(value -> FieldWords.isValue(value.last()));
    return 1 + (isNamed ? 3 : 0) + (fields(Role.NAME).isEmpty() && !isMap ? 0 : 2);
  }
}
