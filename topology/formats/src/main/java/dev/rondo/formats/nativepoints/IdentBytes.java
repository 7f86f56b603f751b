package dev.rondo.formats.nativepoints;

import java.util.Arrays;

/** The ident of one point after the other, each told by what differs from the one before. */
final class IdentBytes {
  private byte[] bytes = new byte[256];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  /** The bytes, of which the first {@link #length} count. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Keeps the first {@code head} and the last {@code tail} bytes, together at most as many as there
   * are, and makes room for {@code middle} more between them.
   *
   * @return the bytes; those from {@code head} on are to be written
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
