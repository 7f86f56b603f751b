package dev.rondo.schemas;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Identity of a series: its name and tags.
 *
 * @param name the name, without tags
 * @param tags by key, sorted
 */
public record Ident(String name, SortedMap<String, String> tags) {
  /**
   * Parses canonical text {@code name;k=v;k2=v2}, with tags in any order. The key of a tag ends at
   * its first {@code =}; the value can contain more.
   *
   * @throws IllegalArgumentException if the name is empty, or if a tag has no key, has no {@code
   *     =}, occurs twice or is called {@code name}
   */
  public static Ident parse(String canonical) {
    int nameEnd = end(canonical, 0);
    if (nameEnd == 0) {
      throw new IllegalArgumentException("ident has no name: '" + canonical + "'");
    }
    if (nameEnd == canonical.length()) {
      return new Ident(canonical, Collections.emptySortedMap());
    }
    var tags = new TreeMap<String, String>();
    for (int at = nameEnd; at < canonical.length(); ) {
      int from = at + 1;
      at = end(canonical, from);
      add(canonical, from, at, tags);
    }
    return new Ident(canonical.substring(0, nameEnd), tags);
  }

  /** Adds the tag {@code k=v} between two indexes. */
  private static void add(String canonical, int from, int to, SortedMap<String, String> tags) {
    int equals = canonical.indexOf('=', from);
    String key = equals < 0 || equals >= to ? "" : canonical.substring(from, equals);
    if (key.isEmpty() || key.equals("name")) {
      throw new IllegalArgumentException(
          "'%s' is not a tag k=v in ident '%s'"
              .formatted(canonical.substring(from, to), canonical));
    }
    if (tags.put(key, canonical.substring(equals + 1, to)) != null) {
      throw new IllegalArgumentException(
          "tag %s occurs twice in ident '%s'".formatted(key, canonical));
    }
  }

  private static int end(String canonical, int from) {
    int semicolon = canonical.indexOf(';', from);
    return semicolon < 0 ? canonical.length() : semicolon;
  }
}
