package dev.rondo.topology.format;

import dev.rondo.topology.drops.DropReason;
import java.nio.charset.StandardCharsets;

/**
 * Makes the ident of a series of what a format tells of it: {@code measurement.field;key=value…},
 * labels sorted by key. White space, control characters and {@code ;} in the name are replaced by
 * {@code _}, and its empty nodes vanish ({@code a..b.} is {@code a.b}). Not safe to share between
 * threads.
 */
public final class Naming {
  private final int identMaxBytes;
  private final int identMaxTags;
  private final StringBuilder ident = new StringBuilder(128);

  /**
   * Idents beyond a limit are dropped.
   *
   * @param identMaxBytes longest ident, UTF-8
   * @param identMaxTags most tags of an ident
   */
  public Naming(int identMaxBytes, int identMaxTags) {
    this.identMaxBytes = identMaxBytes;
    this.identMaxTags = identMaxTags;
  }

  /** Whether an ident that is canonical stays as it is: no rule changes any. */
  public boolean isPlain() {
    return true;
  }

  /**
   * The canonical ident.
   *
   * @param measurement what is measured: the name, or its first part
   * @param field the rest of the name where a format has one; empty = none, as is {@code value}
   * @param labels may be changed
   * @throws DroppedException where there is no name, or a limit is passed
   */
  public String ident(String measurement, String field, Labels labels) throws DroppedException {
    ident.setLength(0);
    PathText.append(ident, measurement);
    if (!field.isEmpty() && !field.equals("value")) {
      PathText.append(ident, field);
    }
    if (ident.isEmpty()) {
      throw DroppedException.unreadable("no name in '" + Excerpt.of(measurement + field) + "'");
    }
    checkTags(labels.size(), measurement);
    for (int n = 0; n < labels.size(); n++) {
      ident.append(';').append(labels.key(n)).append('=').append(labels.value(n));
    }
    String text = ident.toString();
    checkBytes(text);
    return text;
  }

  private void checkTags(int tags, String name) throws DroppedException {
    if (tags > identMaxTags) {
      throw new DroppedException(
          DropReason.TOO_MANY_TAGS,
          "%d tags, more than %d (ident.max.tags): '%s'"
              .formatted(tags, identMaxTags, Excerpt.of(name)));
    }
  }

  private void checkBytes(String text) throws DroppedException {
    int bytes =
        3L * text.length() <= identMaxBytes // no character has more in UTF-8
            ? 0
            : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > identMaxBytes) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "name of %d bytes, more than %d (ident.max.bytes): '%s'"
              .formatted(bytes, identMaxBytes, Excerpt.of(text)));
    }
  }
}
