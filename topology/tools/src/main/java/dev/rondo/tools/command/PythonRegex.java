package dev.rondo.tools.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression in Python's syntax, which Graphite and the query API read. What Java would
 * read otherwise is translated or refused.
 *
 * <pre>
 *   (?P&lt;dc&gt;ams|fra)\Z   ->   (?&lt;dc&gt;ams|fra)\z
 *   [[:alpha:]]         ->   an error: in Java it is a set in a set
 * </pre>
 */
public final class PythonRegex {
  /** An escape, a set (even one that does not end), or the beginning of a group. */
  private static final Pattern PIECE =
      Pattern.compile(
          "\\\\(?:[0-9]+|.)"
              + "|\\[\\^?]?(?:\\\\.|[^]\\\\])*(?:]|\\z)"
              + "|\\(\\?(?:P=\\w+\\)|P?<(?![=!])|[a-zA-Z-]+)?",
          Pattern.DOTALL);

  private static final Pattern IN_SET = Pattern.compile("\\\\.|\\[|&&", Pattern.DOTALL);

  /** Escapes of letters and digits that mean the same in both, and {@code \Z}. */
  private static final String ESCAPES = "AbBdDsSwWZafnrtxu123456789";

  private static final String ESCAPES_IN_SET = "dDsSwWafnrtxu";

  private PythonRegex() {}

  /**
   * Compiles it: letters, digits and white space are those of Unicode.
   *
   * @throws IllegalArgumentException as of {@link #translated}
   */
  public static Pattern compile(String text) {
    return Pattern.compile(
        translated(text),
        Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE | Pattern.UNIX_LINES);
  }

  /**
   * The same in Java's syntax.
   *
   * @throws IllegalArgumentException that names what is wrong, or has another meaning in Java
   */
  public static String translated(String text) {
    String translated =
        PIECE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(piece(found.group())));
    try {
      Pattern.compile(translated);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription(), e);
    }
    return translated;
  }

  private static String piece(String text) {
    if (text.startsWith("[")) {
      IN_SET.matcher(text.substring(1)).results().forEach(found -> checkInSet(found.group()));
      return text;
    }
    if (text.startsWith("\\")) {
      checkEscape(text, ESCAPES);
      return text.equals("\\Z") ? "\\z" : text;
    }
    if (text.startsWith("(?P=")) {
      return "\\k<" + text.substring(4, text.length() - 1) + ">";
    }
    if (text.startsWith("(?P<")) {
      return "(?<";
    }
    if (!text.matches("\\(\\?[ims-]*<?")) {
      throw new IllegalArgumentException(text + " is not supported: only the flags i, m and s are");
    }
    return text;
  }

  private static void checkInSet(String text) {
    if (!text.startsWith("\\")) {
      throw new IllegalArgumentException(
          "'%s' in a set: write '\\%s'; Python has no classes such as [:alpha:]: write [A-Za-z]"
              .formatted(text, text.charAt(0)));
    }
    checkEscape(text, ESCAPES_IN_SET);
  }

  private static void checkEscape(String text, String known) {
    char escaped = text.charAt(1);
    boolean isWord = escaped < 128 && Character.isLetterOrDigit(escaped);
    if (isWord && (known.indexOf(escaped) < 0 || text.length() > 2)) {
      throw new IllegalArgumentException(text + " is not supported: write the characters");
    }
  }
}
