package dev.rondo.formats.graphite;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Utf8;

/**
 * Parses the tags of a Graphite path, {@code k=v;k2=v2}, by carbon's rules: the last of equal keys
 * wins, a tag {@code name} is ignored. Characters that a tag cannot hold make the line unreadable,
 * as in carbon.
 */
final class GraphiteTags {
  private static final String NAME = "name";

  private GraphiteTags() {}

  static void read(byte[] bytes, int from, int to, Labels labels) throws DroppedException {
    int begin = from;
    while (begin <= to) { // an empty tag at the end is malformed, too
      int equals = -1;
      int end = begin;
      while (end < to && bytes[end] != ';') {
        if (equals < 0 && bytes[end] == '=') {
          equals = end;
        }
        end++;
      }
      tag(bytes, begin, equals, end, labels);
      begin = end + 1;
    }
  }

  private static void tag(byte[] bytes, int from, int equals, int to, Labels labels)
      throws DroppedException {
    if (equals <= from || equals == to - 1) {
      throw DroppedException.unreadable(
          "tag '" + Excerpt.of(bytes, from, to) + "' is not key=value");
    }
    for (int at = from; at < equals; at++) {
      if (bytes[at] == '!' || bytes[at] == '^') {
        throw DroppedException.unreadable(
            "tag key '" + Excerpt.of(bytes, from, equals) + "' holds '!' or '^'");
      }
    }
    if (bytes[equals + 1] == '~') {
      throw DroppedException.unreadable(
          "tag value '" + Excerpt.of(bytes, equals + 1, to) + "' begins with '~'");
    }
    String key = Utf8.text(bytes, from, equals);
    if (!key.equals(NAME)) {
      labels.put(key, Utf8.text(bytes, equals + 1, to));
    }
  }
}
