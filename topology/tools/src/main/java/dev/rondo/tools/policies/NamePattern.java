package dev.rondo.tools.policies;

import dev.rondo.tools.command.CommandException;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Patterns of names, found anywhere in a name. */
final class NamePattern {
  /** Found in each name. */
  static final String ANY = ".*";

  private static final Set<String> OF_ALL =
      Set.of("", ANY, "^", "^.*", "^.*$", ".*$", ".+", "^.+$", ".");

  private NamePattern() {}

  /** The pattern in Java's syntax; of Python's, only named groups differ. */
  static String checked(String pattern, String where) {
    String translated = pattern.replace("(?P<", "(?<").replaceAll("\\(\\?P=(\\w+)\\)", "\\\\k<$1>");
    try {
      Pattern.compile(translated);
    } catch (PatternSyntaxException e) {
      throw CommandException.misuse(
          "%s: '%s' is not a regular expression: %s (pattern)"
              .formatted(where, pattern, e.getDescription()));
    }
    return translated;
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
