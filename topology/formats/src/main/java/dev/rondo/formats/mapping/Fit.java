package dev.rondo.formats.mapping;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.mapping.Shape.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Checks that a mapping fits a schema, before any record of the schema is read. */
public final class Fit {
  private static final int MAX_FIELDS_SHOWN = 20;
  private static final Set<Kind> TEXTS =
      EnumSet.of(Kind.NUMBER, Kind.BOOLEAN, Kind.TEXT, Kind.TIME, Kind.ANY);
  private static final Set<Kind> TAGS =
      EnumSet.of(Kind.NUMBER, Kind.BOOLEAN, Kind.TEXT, Kind.TIME, Kind.MAP, Kind.RECORD, Kind.ANY);
  private static final Set<Kind> TIMES = EnumSet.of(Kind.NUMBER, Kind.TEXT, Kind.TIME, Kind.ANY);
  private static final Set<Kind> VALUES =
      EnumSet.of(Kind.NUMBER, Kind.BOOLEAN, Kind.MAP, Kind.RECORD, Kind.ANY);

  private final Shape root;
  private final String schema;

  private Fit(Shape root, String schema) {
    this.root = root;
    this.schema = schema;
  }

  /**
   * Throws if a path leads nowhere, or to a part of the wrong kind.
   *
   * @param schema names the schema in the error text
   */
  public static void check(Mapping mapping, Shape root, String schema) throws DroppedException {
    Fit fit = new Fit(root, schema);
    for (Path path : mapping.name().paths()) {
      fit.check(path, "name", TEXTS);
    }
    for (Mapping.Tag tag : mapping.tags()) {
      fit.check(tag.path(), "tags", TAGS);
    }
    if (mapping.time().isPresent()) {
      fit.check(mapping.time().get(), "time", TIMES);
    }
    boolean hasValue = false;
    for (Mapping.Value value : mapping.values()) {
      hasValue |= fit.check(value.path(), "values", VALUES);
    }
    if (!hasValue) {
      throw fit.misfit("has none of the values of the mapping (mapping.values)");
    }
  }

  /** Whether the path leads to a part of one of these kinds; false only for an optional path. */
  private boolean check(Path path, String key, Set<Kind> kinds) throws DroppedException {
    Shape at = root;
    for (List<String> loop : path.loops()) {
      at = step(at, loop, path, key);
      if (at == null || at.kind() == Kind.ANY) {
        return at != null;
      }
      if (at.kind() != Kind.LIST && at.kind() != Kind.MAP) {
        throw misfit(
            "'%s' of '%s' is %s, not a list or map: remove its [] (mapping.%s)"
                .formatted(
                    loop.isEmpty() ? "[]" : loop.get(loop.size() - 1),
                    path,
                    at.kind().text(),
                    key));
      }
      at = at.item().get();
    }
    if (path.isKey()) {
      return true;
    }
    at = step(at, path.steps(), path, key);
    if (at == null) {
      return false;
    }
    if (!kinds.contains(at.kind())) {
      String advice = at.kind() == Kind.LIST ? ": write [] after it to read its items" : "";
      throw misfit(
          "'%s' is %s, which cannot be used here%s (mapping.%s)"
              .formatted(path, at.kind().text(), advice, key));
    }
    return true;
  }

  /** Returns null if the schema lacks an optional part. */
  private Shape step(Shape from, List<String> steps, Path path, String key)
      throws DroppedException {
    Shape at = from;
    for (String step : steps) {
      Shape next =
          switch (at.kind()) {
            case ANY -> at;
            case MAP -> at.item().get();
            default -> at.fields().get().get(step);
          };
      if (next == null && path.isOptional()) {
        return null;
      }
      if (next == null) {
        throw misfit(
            "has no field '%s' in %s, needed by '%s' (mapping.%s); %s"
                .formatted(step, at.name(), path, key, fields(at)));
      }
      at = next;
    }
    return at;
  }

  private static String fields(Shape at) {
    List<String> names = new ArrayList<>(at.fields().get().keySet());
    if (names.isEmpty()) {
      return "it is " + at.kind().text();
    }
    return "it has "
        + String.join(", ", names.subList(0, Math.min(MAX_FIELDS_SHOWN, names.size())))
        + (names.size() > MAX_FIELDS_SHOWN ? ", …" : "");
  }

  private DroppedException misfit(String what) {
    return new DroppedException(DropReason.UNSUPPORTED, schema + " " + what);
  }
}
