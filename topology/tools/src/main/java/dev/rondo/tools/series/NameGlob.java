package dev.rondo.tools.series;

import dev.rondo.tools.command.CommandException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * Graphite's pattern of names, as a regular expression. Within a node, between dots: {@code *} any
 * text, {@code ?} one character, {@code [a-c]} one of a set, {@code [!a]} one outside it, {@code
 * {x,y}} alternatives. A node {@code **} is any number of nodes; as the last one, everything below.
 * A node always matches its own text.
 */
final class NameGlob {
  private NameGlob() {}

  /**
   * Compiles a pattern for whole names.
   *
   * @throws CommandException if it is none
   */
  static Pattern compile(String glob) {
    List<String> nodes = new ArrayList<>(Arrays.asList(glob.split("\\.", -1)));
    if (nodes.get(nodes.size() - 1).equals("**")) {
      nodes.add("*");
    }
    StringBuilder regex = new StringBuilder();
    for (int n = 0; n < nodes.size(); n++) {
      String node = nodes.get(n);
      boolean isLast = n == nodes.size() - 1;
      regex.append(
          node.equals("**")
              ? "(?:[^.]+\\.)*"
              : "(?:" + glob(node) + "|" + Pattern.quote(node) + ")");
      regex.append(node.equals("**") || isLast ? "" : "\\.");
    }
    try {
      return Pattern.compile(regex.toString());
    } catch (PatternSyntaxException | StackOverflowError e) {
      throw CommandException.misuse("'%s' is not a pattern of names".formatted(glob));
    }
  }

  private static String glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      char c = text.charAt(at);
      int close = c == '[' ? closingBracket(text, at) : c == '{' ? closingBrace(text, at) : -1;
      if (c == '*') {
        regex.append("[^.]*");
      } else if (c == '?') {
        regex.append("[^.]");
      } else if (c == '[' && close >= 0) {
        regex.append(oneOf(text.substring(at + 1, close)));
      } else if (c == '{' && close >= 0) {
        regex.append(
            choices(text.substring(at + 1, close)).stream()
                .map(NameGlob::glob)
                .collect(Collectors.joining("|", "(?:", ")")));
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
      at = close >= 0 ? close + 1 : at + 1;
    }
    return regex.toString();
  }

  /** The end of a set, which may begin with a bracket of its own; -1 if there is none. */
  private static int closingBracket(String text, int opening) {
    int first = text.startsWith("!", opening + 1) || text.startsWith("^", opening + 1) ? 2 : 1;
    return text.indexOf(']', opening + first + 1);
  }

  private static int closingBrace(String text, int opening) {
    int open = 0;
    for (int at = opening; at < text.length(); at++) {
      open += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
      if (open == 0) {
        return at;
      }
    }
    return -1;
  }

  /** Alternatives between the commas outside of inner braces. */
  private static List<String> choices(String text) {
    List<String> choices = new ArrayList<>();
    int open = 0;
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      open += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
      if (open == 0 && text.charAt(at) == ',') {
        choices.add(text.substring(from, at));
        from = at + 1;
      }
    }
    choices.add(text.substring(from));
    return choices;
  }

  /** One character of a set; a range in reverse, such as {@code z-a}, is empty. */
  private static String oneOf(String members) {
    boolean isNegated = members.startsWith("!") || members.startsWith("^");
    String text = isNegated ? members.substring(1) : members;
    StringBuilder ranges = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char first = text.charAt(at);
      char last = first;
      if (at + 2 < text.length() && text.charAt(at + 1) == '-') {
        last = text.charAt(at + 2);
        at += 2;
      }
      if (first <= last) {
        ranges.append("\\Q%c\\E-\\Q%c\\E".formatted(first, last));
      }
    }
    if (ranges.isEmpty()) {
      return isNegated ? "[^.]" : "(?!)";
    }
    return isNegated ? "[^." + ranges + "]" : "[" + ranges + "]";
  }
}
