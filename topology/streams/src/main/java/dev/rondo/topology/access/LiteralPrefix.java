package dev.rondo.topology.access;

/** Finds the literal prefix of all names that match a regular expression. */
final class LiteralPrefix {
  private static final String META = ".[]()^$|*+?{}";

  private LiteralPrefix() {}

  /** Returns the common prefix of matching names; empty if there is none, or it is not obvious. */
  static String of(String regexp) {
    if (hasAlternatives(regexp)) {
      return "";
    }
    StringBuilder prefix = new StringBuilder();
    for (int n = 0; n < regexp.length(); n++) {
      char c = regexp.charAt(n);
      if (c == '\\'
          && n + 1 < regexp.length()
          && !Character.isLetterOrDigit(regexp.charAt(n + 1))) {
        n++;
        prefix.append(regexp.charAt(n));
      } else if (c == '\\' || META.indexOf(c) >= 0) {
        boolean isOptional = (c == '*' || c == '?' || c == '{') && prefix.length() > 0;
        return prefix.substring(0, prefix.length() - (isOptional ? 1 : 0));
      } else {
        prefix.append(c);
      }
    }
    return prefix.toString();
  }

  /** Whether there is a {@code |} outside of all groups. */
  private static boolean hasAlternatives(String regexp) {
    int depth = 0;
    for (int n = 0; n < regexp.length(); n++) {
      switch (regexp.charAt(n)) {
        case '\\' -> n++;
        case '(' -> depth++;
        case ')' -> depth--;
        case '|' -> {
          if (depth <= 0) {
            return true;
          }
        }
        default -> {}
      }
    }
    return false;
  }
}
