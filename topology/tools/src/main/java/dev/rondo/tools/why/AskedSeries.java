package dev.rondo.tools.why;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.why.facts.Facts;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The series that an argument names. */
final class AskedSeries {
  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{(]");

  private AskedSeries() {}

  /**
   * Sorts the tags.
   *
   * @param stepMs resolution that is missed; null = not given
   * @param fromMs time from which on the graph is missed; null = not given
   * @throws CommandException if the text cannot name one series
   */
  static Facts.Asked of(String text, Long stepMs, Long fromMs) {
    Ident ident;
    try {
      ident = Ident.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(e.getMessage());
    }
    if (WILDCARD.matcher(ident.name()).find()) {
      throw CommandException.misuse(
          ("'%s' is a pattern or a function, and why is about one series; ./rondo series list"
                  + " PATTERN names them")
              .formatted(text));
    }
    String tags =
        ident.tags().entrySet().stream()
            .map(tag -> ";" + tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining());
    return new Facts.Asked(text, ident.name() + tags, !tags.isEmpty(), stepMs, fromMs);
  }
}
