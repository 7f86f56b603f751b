package dev.rondo.formats.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a series: text with paths in braces, {@code shop.{service}.{metric}}.
 *
 * @param texts before, between and after the paths: one more than paths
 */
public record NamePattern(List<String> texts, List<Path> paths) {
  private static final Pattern IN_BRACES = Pattern.compile("\\{([^{}]*)}");

  /** No name: the names of the values are the names of the series. */
  public static final NamePattern NONE = new NamePattern(List.of(""), List.of());

  public NamePattern {
    texts = List.copyOf(texts);
    paths = List.copyOf(paths);
  }

  /** Parses a pattern; throws {@link IllegalArgumentException} if a path is invalid. */
  public static NamePattern parse(String text) {
    List<String> texts = new ArrayList<>();
    List<Path> paths = new ArrayList<>();
    Matcher matcher = IN_BRACES.matcher(text);
    int from = 0;
    while (matcher.find()) {
      texts.add(text.substring(from, matcher.start()));
      paths.add(Path.parse(matcher.group(1)));
      from = matcher.end();
    }
    texts.add(text.substring(from));
    if (texts.stream().anyMatch(t -> t.contains("{") || t.contains("}"))) {
      throw new IllegalArgumentException("'" + text + "' has an unmatched brace");
    }
    return new NamePattern(texts, paths);
  }
}
