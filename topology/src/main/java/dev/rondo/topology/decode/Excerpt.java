package dev.rondo.topology.decode;

/** Beginning of a text for an error message. */
final class Excerpt {
  private static final int LENGTH = 60;

  private Excerpt() {}

  static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
