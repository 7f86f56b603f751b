package dev.rondo.formats.metrictank;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import java.util.List;

/**
 * Name and tags of the series with an id.
 *
 * @param tags {@code key=value} each
 */
record Definition(String name, List<String> tags) {
  private static final char SEPARATOR = '\0';

  /** Parses {@link #text}. */
  static Definition of(String text) {
    List<String> parts = List.of(text.split(String.valueOf(SEPARATOR), -1));
    return new Definition(parts.get(0), parts.subList(1, parts.size()));
  }

  /** Returns the text whose hash is the id: {@code name \0 tag \0 tag}. */
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
   * Builds the ident.
   *
   * @param labels scratch space
   */
  String ident(Naming naming, Labels labels) throws DroppedException {
    labels.clear();
    for (String tag : tags) {
      labels.putTag(tag);
    }
    return naming.ident(name, "", labels);
  }
}
