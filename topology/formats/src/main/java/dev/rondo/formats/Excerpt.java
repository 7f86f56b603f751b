package dev.rondo.formats;

import java.nio.charset.StandardCharsets;

/** Shortens a text to one line for an error message. */
public final class Excerpt {
  private static final int LENGTH = 60;
  private static final int MAX_BYTES_PER_CHARACTER = 4;

  private Excerpt() {}

  /** Shortens arbitrary bytes; control characters become {@code ?}. */
  public static String of(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, LENGTH * MAX_BYTES_PER_CHARACTER);
    StringBuilder text = new StringBuilder(new String(bytes, from, length, StandardCharsets.UTF_8));
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) < ' ' || text.charAt(at) == 0x7f) {
        text.setCharAt(at, '?');
      }
    }
    return of(text.toString());
  }

  public static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
