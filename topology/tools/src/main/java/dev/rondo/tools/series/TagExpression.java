package dev.rondo.tools.series;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PythonRegex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Graphite's tag expression: {@code tag=value}, {@code tag!=value}, {@code tag=~regex} or {@code
 * tag!=~regex}. A missing tag has the empty value; the name is the tag {@code name}. A regular
 * expression matches from the beginning of the value.
 */
record TagExpression(String tag, boolean isNegated, Predicate<String> matches)
    implements Predicate<Ident> {
  private static final Pattern EXPRESSION = Pattern.compile("([^;!=]+)(!?)=(~?)([^;]*)");
  private static final String BY_TAG = "seriesByTag(";
  private static final Pattern QUOTED = Pattern.compile("\\s*(?:'([^']*)'|\"([^\"]*)\")\\s*,?");

  /** Whether a text is an expression, or a call of {@code seriesByTag}. */
  static boolean isOne(String text) {
    return text.startsWith(BY_TAG) || text.indexOf('=') > 0;
  }

  /**
   * The expressions of a text.
   *
   * @throws CommandException if it has another form
   */
  static List<TagExpression> all(String text) {
    if (!text.startsWith(BY_TAG)) {
      return List.of(of(text));
    }
    List<TagExpression> all = new ArrayList<>();
    Matcher next = QUOTED.matcher(text);
    int at = BY_TAG.length();
    while (next.find(at) && next.start() == at) {
      all.add(of(next.group(1) == null ? next.group(2) : next.group(1)));
      at = next.end();
    }
    if (all.isEmpty() || !text.substring(at).equals(")")) {
      throw CommandException.misuse("'%s' is not seriesByTag('tag=value', ...)".formatted(text));
    }
    return all;
  }

  private static TagExpression of(String text) {
    Matcher parts = EXPRESSION.matcher(text);
    if (!parts.matches()) {
      throw CommandException.misuse(
          "'%s' is not a tag expression: tag=value, !=, =~regex, !=~regex".formatted(text));
    }
    String value = parts.group(4);
    return new TagExpression(
        parts.group(1),
        !parts.group(2).isEmpty(),
        parts.group(3).isEmpty() ? value::equals : regex(value, text));
  }

  private static Predicate<String> regex(String value, String text) {
    try {
      Pattern pattern = PythonRegex.compile(value);
      return tagged -> begins(pattern, tagged, text);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(
          "'%s' has an invalid regex: %s".formatted(text, e.getMessage()));
    }
  }

  private static boolean begins(Pattern pattern, String tagged, String text) {
    try {
      return pattern.matcher(tagged).lookingAt();
    } catch (StackOverflowError e) { // it recurses for each character that a group repeats
      throw CommandException.misuse(
          "'%s' repeats a group for too many characters of '%s'".formatted(text, tagged));
    }
  }

  /** Whether only series with the tag can match. */
  boolean asksForTag() {
    return !isTrueOf("");
  }

  private boolean isTrueOf(String value) {
    return matches.test(value) != isNegated;
  }

  @Override
  public boolean test(Ident ident) {
    return isTrueOf(tag.equals("name") ? ident.name() : ident.tags().getOrDefault(tag, ""));
  }
}
