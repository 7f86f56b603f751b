package dev.rondo.formats.nativepoints;

import java.util.Arrays;

/** Decodes idents, each encoded as the difference from the previous one. */
final class IdentBytes {
  private byte[] bytes = new byte[256];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  /** The bytes of the ident; the first {@link #length} are valid. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Keeps the first {@code head} and the last {@code tail} bytes, together at most the current
   * length, and inserts {@code middle} bytes between them.
   *
   * @return the bytes; the caller writes those from {@code head} on
   */
  byte[] keep(int head, int tail, int middle) {
    int tailFrom = length - tail;
    length = head + middle + tail;
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }
    System.arraycopy(bytes, tailFrom, bytes, head + middle, tail);
    return bytes;
  }
}
