package dev.rondo.tools.series;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * New idents of old ones: a pair of idents, or of patterns of untagged names, whose wildcards stand
 * for the same text in both. {@code *} is any text within a node; a node {@code **} is any number
 * of nodes, as the last one everything below.
 */
final class NameMapping {
  private static final String OTHER_WILDCARDS = "?[]{}";

  private final Pattern from;
  private final String to;

  private NameMapping(Pattern from, String to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Compiles a pair.
   *
   * @throws CommandException if it is none
   */
  static NameMapping of(String from, String to) {
    if (from.equals(to)) {
      throw CommandException.misuse("old and new name are the same: " + from);
    }
    if (from.indexOf('*') < 0 && to.indexOf('*') < 0) {
      return new NameMapping(
          Pattern.compile(Pattern.quote(canonical(from))), Matcher.quoteReplacement(canonical(to)));
    }
    check(from);
    check(to);
    if (!wildcards(from).equals(wildcards(to))) {
      throw CommandException.misuse(
          "'%s' and '%s' need the same wildcards in the same order".formatted(from, to));
    }
    return new NameMapping(Pattern.compile(regex(from)), replacement(to));
  }

  private static String canonical(String ident) {
    try {
      Ident.parse(ident);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(e.getMessage());
    }
    return ident;
  }

  private static void check(String pattern) {
    if (pattern.indexOf(';') >= 0) {
      throw CommandException.misuse(
          "'%s' has tags: wildcards are for untagged names, give pairs by --file"
              .formatted(pattern));
    }
    if (pattern.chars().anyMatch(c -> OTHER_WILDCARDS.indexOf(c) >= 0)) {
      throw CommandException.misuse("'%s' has another wildcard than * and **".formatted(pattern));
    }
    int all = 0;
    for (String node : pattern.split("\\.", -1)) {
      if (node.equals("**")) {
        all++;
      } else if (node.indexOf('*') != node.lastIndexOf('*')) {
        throw CommandException.misuse(
            "'%s' is ambiguous: a node may have one *, or be **".formatted(pattern));
      }
    }
    if (all > 1) {
      throw CommandException.misuse(
          "'%s' is ambiguous: it has more than one **".formatted(pattern));
    }
  }

  /** Those of a pattern; that of nodes in the middle has their last dot. */
  private static List<String> wildcards(String pattern) {
    List<String> wildcards = new ArrayList<>();
    replace(pattern, text -> text, (n, wildcard) -> wildcards.add(wildcard) ? wildcard : "");
    return wildcards;
  }

  private static String regex(String pattern) {
    return replace(
        pattern,
        Pattern::quote,
        (n, wildcard) ->
            "(?<w%d>%s)"
                .formatted(
                    n,
                    switch (wildcard) {
                      case "*" -> "[^.]*";
                      case "**." -> "(?:[^.]+\\.)*";
                      default -> "(?:[^.]+\\.)*[^.]+";
                    }));
  }

  private static String replacement(String pattern) {
    return replace(pattern, Matcher::quoteReplacement, (n, wildcard) -> "${w" + n + "}");
  }

  private static String replace(
      String pattern, UnaryOperator<String> text, BiFunction<Integer, String, String> wildcards) {
    StringBuilder replaced = new StringBuilder();
    int count = 0;
    for (int at = 0; at < pattern.length(); ) {
      String wildcard = wildcardAt(pattern, at);
      replaced.append(
          wildcard.isEmpty()
              ? text.apply(pattern.substring(at, at + 1))
              : wildcards.apply(count++, wildcard));
      at += Math.max(1, wildcard.length());
    }
    return replaced.toString();
  }

  private static String wildcardAt(String pattern, int at) {
    for (String wildcard : new String[] {"**.", "**", "*"}) {
      if (pattern.startsWith(wildcard, at)) {
        return wildcard;
      }
    }
    return "";
  }

  /** The new ident; empty if this is not about the old one. */
  Optional<String> apply(String ident) {
    Matcher matcher = from.matcher(ident);
    return matcher.matches() ? Optional.of(matcher.replaceFirst(to)) : Optional.empty();
  }
}
