package dev.rondo.formats;

import java.nio.charset.StandardCharsets;

/** Beginning of a text for an error message, on one line. */
public final class Excerpt {
  private static final int LENGTH = 60;
  private static final int MOST_BYTES_OF_A_CHARACTER = 4;

  private Excerpt() {}

  /** Of bytes that may be anything. */
  public static String of(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, LENGTH * MOST_BYTES_OF_A_CHARACTER);
    StringBuilder text = new StringBuilder(new String(bytes, from, length, StandardCharsets.UTF_8));
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) < ' ' || text.charAt(at) == 0x7f) {
        text.setCharAt(at, '?');
      }
    }
    return of(text.toString());
  }

  /** Of text. */
  public static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
