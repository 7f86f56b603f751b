package dev.rondo.tools.policies;

import dev.rondo.tools.command.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A section of Graphite's storage-schemas.conf.
 *
 * @param pattern regular expression, found anywhere in a name
 * @param notes what has no equivalent
 */
record StorageSchema(String name, String pattern, List<Retention> retentions, List<String> notes) {

  /** What carbon uses for names that no section covers. */
  private static final StorageSchema DEFAULT =
      new StorageSchema(
          "default",
          GraphitePattern.ANY,
          List.of(Retention.parse("60s:7d")),
          List.of("carbon's default for names that no schema covers"));

  /** The sections of a file up to one that covers all names, or carbon's default. */
  static List<StorageSchema> all(Map<String, Map<String, String>> sections, Path file) {
    List<StorageSchema> schemas = new ArrayList<>();
    for (Map.Entry<String, Map<String, String>> section : sections.entrySet()) {
      Map<String, String> options = section.getValue();
      if (options.containsKey("pattern") || options.containsKey("match-all")) {
        StorageSchema schema = of(section.getKey(), options, file);
        schemas.add(schema);
        if (GraphitePattern.coversAll(schema.pattern)) {
          return schemas;
        }
      }
    }
    if (schemas.isEmpty()) {
      throw CommandException.misuse(file + " has no section with a pattern and retentions");
    }
    schemas.add(DEFAULT);
    return schemas;
  }

  private static StorageSchema of(String name, Map<String, String> options, Path file) {
    String where = "section [%s] of %s".formatted(name, file);
    String retentions = options.get("retentions");
    if (retentions == null) {
      throw CommandException.misuse(where + " has no retentions");
    }
    List<Retention> parsed;
    try {
      parsed = Arrays.stream(retentions.split(",", -1)).map(Retention::parse).sorted().toList();
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse("%s: %s (retentions)".formatted(where, e.getMessage()));
    }
    long step = parsed.get(0).stepSeconds();
    for (Retention retention : parsed) {
      if (retention.stepSeconds() % step != 0) {
        throw CommandException.misuse(
            "%s: %d s is not a multiple of %d s (retentions)"
                .formatted(where, retention.stepSeconds(), step));
      }
    }
    List<String> notes = new ArrayList<>();
    if (options.containsKey("priority")) {
      notes.add("priority has no equivalent: the first policy counts, as in carbon since 0.9");
    }
    boolean isForAll = options.containsKey("match-all");
    return new StorageSchema(
        name,
        isForAll ? GraphitePattern.ANY : GraphitePattern.checked(options.get("pattern"), where),
        parsed,
        notes);
  }
}
