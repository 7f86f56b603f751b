package dev.rondo.tools.policies;

import dev.rondo.tools.command.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A section of Graphite's storage-aggregation.conf.
 *
 * @param pattern regular expression, found anywhere in a name
 * @param function Rondo's name of the function
 * @param xff share of known slots, 0..1, as Graphite's xFilesFactor
 * @param notes what has no equivalent
 */
record StorageAggregation(
    String name, String pattern, String function, double xff, List<String> notes) {
  private static final double DEFAULT_XFF = 0.5;
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "average", "avg", "avg", "avg", "sum", "sum", "min", "min", "max", "max", "last", "last");

  /** What Whisper does with names that no section covers. */
  static final StorageAggregation DEFAULT =
      new StorageAggregation("average", GraphitePattern.ANY, "avg", DEFAULT_XFF, List.of());

  /** The sections of a file up to one that covers all names, or Whisper's default. */
  static List<StorageAggregation> all(Map<String, Map<String, String>> sections, Path file) {
    List<StorageAggregation> all = new ArrayList<>();
    for (Map.Entry<String, Map<String, String>> section : sections.entrySet()) {
      if (section.getValue().containsKey("pattern")) {
        StorageAggregation one = of(section.getKey(), section.getValue(), file);
        all.add(one);
        if (GraphitePattern.coversAll(one.pattern)) {
          return all;
        }
      }
    }
    all.add(DEFAULT);
    return all;
  }

  private static StorageAggregation of(String name, Map<String, String> options, Path file) {
    String where = "section [%s] of %s".formatted(name, file);
    String method = options.getOrDefault("aggregationmethod", "average");
    List<String> notes = new ArrayList<>();
    if (!FUNCTIONS.containsKey(method)) {
      notes.add("aggregationMethod %s has no equivalent: avg".formatted(method));
    }
    return new StorageAggregation(
        name,
        GraphitePattern.checked(options.get("pattern"), where),
        FUNCTIONS.getOrDefault(method, "avg"),
        xff(options.get("xfilesfactor"), where),
        notes);
  }

  private static double xff(String text, String where) {
    if (text == null) {
      return DEFAULT_XFF;
    }
    try {
      double xff = Double.parseDouble(text);
      if (xff >= 0 && xff <= 1) {
        return xff;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number out of bounds
    }
    throw CommandException.misuse(
        "%s: '%s' is not a number within 0..1 (xFilesFactor)".formatted(where, text));
  }
}
