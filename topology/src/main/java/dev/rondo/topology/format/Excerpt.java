package dev.rondo.topology.format;

import java.nio.charset.StandardCharsets;

/** Beginning of a text for an error message, on one line. */
public final class Excerpt {
  private static final int LENGTH = 60;
  private static final int MOST_BYTES_OF_A_CHARACTER = 4;

  private Excerpt() {}

  /** Of bytes that may be anything. */
  public static String of(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, LENGTH * MOST_BYTES_OF_A_CHARACTER);
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    return of(text.replaceAll("\\p{Cntrl}", "?"));
  }

  /** Of text. */
  public static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
