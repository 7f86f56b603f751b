package dev.rondo.formats;

/**
 * Finds unpaired surrogates. They have no UTF-8 encoding, so two series could become one on the
 * wire.
 */
public final class Surrogates {
  private Surrogates() {}

  /** Whether the char at {@code at} is a surrogate without its other half. */
  public static boolean isUnpaired(CharSequence text, int at) {
    char c = text.charAt(at);
    if (!Character.isSurrogate(c)) {
      return false;
    }
    return Character.isHighSurrogate(c)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
  }
}
