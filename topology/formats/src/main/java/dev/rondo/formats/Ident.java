package dev.rondo.formats;

import java.util.Map;
import java.util.TreeMap;

/**
 * Name and tags of a series.
 *
 * @param name the name, without tags
 * @param tags by key, sorted
 */
public record Ident(String name, Map<String, String> tags) {
  /** Reads canonical text {@code name;k=v;k2=v2}, as the decoders write it. */
  public static Ident parse(String canonical) {
    int end = canonical.indexOf(';');
    if (end < 0) {
      return new Ident(canonical, Map.of());
    }
    Map<String, String> tags = new TreeMap<>();
    for (int from = end + 1; from < canonical.length(); ) {
      int semicolon = canonical.indexOf(';', from);
      int to = semicolon < 0 ? canonical.length() : semicolon;
      int equals = canonical.indexOf('=', from);
      tags.put(canonical.substring(from, equals), canonical.substring(equals + 1, to));
      from = to + 1;
    }
    return new Ident(canonical.substring(0, end), tags);
  }
}
