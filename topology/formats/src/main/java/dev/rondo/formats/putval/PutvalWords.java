package dev.rondo.formats.putval;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Utf8;

/** Splits a line into words at white space outside quotes: {@code "a \"b\" c"}. */
final class PutvalWords {
  private final byte[] bytes;
  private final int lineTo;
  private int from;
  private int to;

  /** Starts before the first word of the line. */
  PutvalWords(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.lineTo = to;
    this.from = from;
    this.to = from;
  }

  /** Moves to the next word; false at the end. */
  boolean next() throws DroppedException {
    from = to;
    while (from < lineTo && isBlank(bytes[from])) {
      from++;
    }
    to = end();
    return from < lineTo;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private int end() throws DroppedException {
    boolean isQuoted = false;
    int at = from;
    while (at < lineTo && (isQuoted || !isBlank(bytes[at]))) {
      if (bytes[at] == '"') {
        isQuoted = !isQuoted;
      }
      at += isQuoted && bytes[at] == '\\' ? 2 : 1;
    }
    if (isQuoted) {
      throw DroppedException.unreadable(
          "unclosed quote: '" + Excerpt.of(bytes, from, lineTo) + "'");
    }
    return at;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  boolean contains(char c) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == c) {
        return true;
      }
    }
    return false;
  }

  /** Returns the word without its quotes. */
  String text() throws DroppedException {
    String text = Utf8.text(bytes, from, to);
    if (text.indexOf('"') < 0) {
      return text;
    }
    StringBuilder unquoted = new StringBuilder(text.length());
    boolean isQuoted = false;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        isQuoted = !isQuoted;
      } else {
        unquoted.append(isQuoted && c == '\\' ? text.charAt(++at) : c);
      }
    }
    return unquoted.toString();
  }
}
