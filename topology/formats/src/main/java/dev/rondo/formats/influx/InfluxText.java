package dev.rondo.formats.influx;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Utf8;

/** Decodes names, keys and values of tags; a backslash escapes some bytes. */
final class InfluxText {
  private InfluxText() {}

  /** Whether a backslash escapes this byte; before any other byte it is literal. */
  static boolean isEscapable(int c) {
    return c == ',' || c == ' ' || c == '=' || c == '"';
  }

  static String of(byte[] bytes, int from, int to) throws DroppedException {
    String text = Utf8.text(bytes, from, to);
    return text.indexOf('\\') < 0 ? text : unescaped(text);
  }

  private static String unescaped(String text) {
    StringBuilder unescaped = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      boolean isEscape =
          text.charAt(at) == '\\' && at + 1 < text.length() && isEscapable(text.charAt(at + 1));
      if (!isEscape) {
        unescaped.append(text.charAt(at));
      }
    }
    return unescaped.toString();
  }
}
