package dev.rondo.topology.format.own;

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
   * Keeps the first {@code same} bytes, 0..length, and makes room for {@code rest} more after them.
   */
  byte[] keep(int same, int rest) {
    length = same + rest;
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }
    return bytes;
  }
}
