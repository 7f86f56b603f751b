package dev.rondo.tools.check.mapping;

import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Shape.Kind;
import dev.rondo.tools.check.mapping.FieldWords.Role;
import dev.rondo.tools.check.mapping.Level.Field;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Which fields of a schema are likely name, tags, time and values.
 *
 * @param name text with paths in braces
 * @param tags a list of paths, or paths by key
 * @param hasPlainTime whether the time is a number without a unit in the schema
 * @param values a list of paths, or paths by name
 */
record MappingProposal(
    String name, Object tags, Optional<String> time, boolean hasPlainTime, Object values) {

  /**
   * Proposes a mapping; empty if no field looks like a value.
   *
   * @param topic names series that no field names
   */
  static Optional<MappingProposal> of(Shape record, String topic) {
    Level best = null;
    for (Level level : Level.of(record)) {
      best = best == null || level.score() > best.score() ? level : best;
    }
    return best == null || best.score() == 0 ? Optional.empty() : Optional.of(of(best, topic));
  }

  private static MappingProposal of(Level level, String topic) {
    Map<String, String> tags = new LinkedHashMap<>();
    Optional<String> name = Optional.empty();
    Optional<String> time = Optional.empty();
    boolean hasPlainTime = false;
    for (Level at : level.outwards()) {
      Optional<Field> named = name(at);
      Optional<Field> timed = time(at);
      if (name.isEmpty() && named.isPresent()) {
        name = named.map(field -> at.path(field.steps()));
      } else if (name.isEmpty() && at.isMap()) {
        name = Optional.of(at.path("@key"));
      }
      if (time.isEmpty() && timed.isPresent()) {
        time = timed.map(field -> at.path(field.steps()));
        hasPlainTime = timed.get().kind() == Kind.NUMBER;
      }
      at.fields(Role.TAG).forEach(field -> tags.put(at.path(field.steps()), field.last()));
    }
    return new MappingProposal(
        name.map(path -> "{" + path + "}").orElse(topic),
        tags(tags),
        time,
        hasPlainTime,
        values(level));
  }

  /** A time of the schema, or else a number or text that is called one. */
  private static Optional<Field> time(Level level) {
    return level.fields(Role.TIME).stream()
        .min(Comparator.comparing(field -> field.kind() != Kind.TIME));
  }

  private static Optional<Field> name(Level level) {
    return level.fields(Role.NAME).stream()
        .min(
            Comparator.comparingInt(
                field -> FieldWords.NAMES.indexOf(FieldWords.word(field.last()))));
  }

  private static Object tags(Map<String, String> lasts) {
    return areDistinct(lasts)
        ? List.copyOf(lasts.keySet())
        : byName(lasts, path -> path.replace("[]", "").replace('.', '_'));
  }

  private static Object values(Level level) {
    Map<String, String> lasts = new LinkedHashMap<>();
    level.fields(Role.VALUE).forEach(field -> lasts.put(level.path(field.steps()), field.last()));
    boolean isFlat =
        level.fields(Role.VALUE).stream().noneMatch(field -> field.steps().contains("."));
    return isFlat || lasts.size() == 1
        ? List.copyOf(lasts.keySet())
        : byName(lasts, path -> path.substring(level.path("").length()));
  }

  /** Whether the last steps distinguish the paths. */
  private static boolean areDistinct(Map<String, String> lasts) {
    return Set.copyOf(lasts.values()).size() == lasts.size();
  }

  private static Map<String, String> byName(
      Map<String, String> lasts, UnaryOperator<String> toName) {
    Map<String, String> named = new LinkedHashMap<>();
    lasts.keySet().forEach(path -> named.put(toName.apply(path), path));
    return named;
  }

  /** As in an entry of the sources file. */
  Map<String, Object> entry() {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", name);
    if (!tags.equals(List.of())) {
      entry.put("tags", tags);
    }
    time.ifPresent(path -> entry.put("time", path));
    entry.put("values", values);
    return entry;
  }
}
