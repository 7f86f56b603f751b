package dev.rondo.tools.policies;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PythonRegex;
import java.util.Set;

/** Patterns of names, found anywhere in a name. */
final class GraphitePattern {
  /** Found in each name. */
  static final String ANY = ".*";

  private static final Set<String> OF_ALL =
      Set.of("", ANY, "^", "^.*", "^.*$", ".*$", ".+", "^.+$", ".");

  private GraphitePattern() {}

  /** The pattern, which is in Python's syntax, in Java's. */
  static String checked(String pattern, String where) {
    try {
      return PythonRegex.translated(pattern);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(
          "%s: '%s' is not a regular expression: %s (pattern)"
              .formatted(where, pattern, e.getMessage()));
    }
  }

  static boolean coversAll(String pattern) {
    return OF_ALL.contains(pattern);
  }

  /** A pattern that is found where both are. */
  static String both(String one, String other) {
    if (coversAll(one)) {
      return other;
    }
    return coversAll(other) ? one : "^(?=.*?(?:%s))(?=.*?(?:%s))".formatted(one, other);
  }
}
