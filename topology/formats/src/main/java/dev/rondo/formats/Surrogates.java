package dev.rondo.formats;

/** Halves of characters: one alone has no UTF-8, and two series would become one on the wire. */
final class Surrogates {
  private Surrogates() {}

  /** Whether the char at {@code at} is one half of a character whose other half is missing. */
  static boolean isUnpaired(CharSequence text, int at) {
    char c = text.charAt(at);
    if (!Character.isSurrogate(c)) {
      return false;
    }
    return Character.isHighSurrogate(c)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
  }
}
