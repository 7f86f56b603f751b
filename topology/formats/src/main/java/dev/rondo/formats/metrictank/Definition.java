package dev.rondo.formats.metrictank;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import java.util.List;

/**
 * What an id names.
 *
 * @param tags {@code key=value} each
 */
record Definition(String name, List<String> tags) {
  private static final char SEPARATOR = '\0';

  /** Reads {@link #text}. */
  static Definition of(String text) {
    List<String> parts = List.of(text.split(String.valueOf(SEPARATOR), -1));
    return new Definition(parts.get(0), parts.subList(1, parts.size()));
  }

  /** All of it in one, which is what the id is made of, too: {@code name \0 tag \0 tag}. */
  String text() {
    if (tags.isEmpty()) {
      return name;
    }
    StringBuilder text = new StringBuilder(name);
    for (String tag : tags) {
      text.append(SEPARATOR).append(tag);
    }
    return text.toString();
  }

  /**
   * The ident.
   *
   * @param labels to be filled
   */
  String ident(Naming naming, Labels labels) throws DroppedException {
    labels.clear();
    for (String tag : tags) {
      int equals = tag.indexOf('=');
      if (equals < 1) {
        throw DroppedException.unreadable("tag '" + Excerpt.of(tag) + "' is not key=value");
      }
      labels.put(tag.substring(0, equals), tag.substring(equals + 1));
    }
    return naming.ident(name, "", labels);
  }
}
