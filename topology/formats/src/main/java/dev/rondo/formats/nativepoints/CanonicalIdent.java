package dev.rondo.formats.nativepoints;

import java.util.Arrays;

/**
 * Fast check for canonical idents: ASCII, no character to replace, no empty node, tags sorted by
 * key. Rejects some canonical idents.
 */
final class CanonicalIdent {
  private static final byte[] NAME = {'n', 'a', 'm', 'e'};

  private CanonicalIdent() {}

  /** Checks the first {@code length} bytes; more than {@code maxTags} tags are not canonical. */
  static boolean is(byte[] ident, int length, int maxTags) {
    int nameEnd = nameEnd(ident, length);
    return nameEnd > 0 && (nameEnd == length || areTags(ident, nameEnd, length, maxTags));
  }

  /** End of the name; -1 if the name is not canonical. */
  private static int nameEnd(byte[] ident, int length) {
    byte previous = '.';
    int at = 0;
    for (; at < length && ident[at] != ';'; at++) {
      byte c = ident[at];
      if (c <= ' ' || c == 0x7f || (c == '.' && previous == '.')) {
        return -1;
      }
      previous = c;
    }
    return previous == '.' ? -1 : at;
  }

  private static boolean areTags(byte[] ident, int nameEnd, int length, int maxTags) {
    int previousKey = 0;
    int previousKeyEnd = 0;
    int at = nameEnd;
    for (int tags = 0; at < length; tags++) {
      int key = at + 1;
      int keyEnd = keyEnd(ident, key, length);
      if (tags == maxTags
          || keyEnd < 0
          || !isAfter(ident, previousKey, previousKeyEnd, key, keyEnd)
          || is(NAME, ident, key, keyEnd)) {
        return false;
      }
      at = valueEnd(ident, keyEnd + 1, length);
      if (at < 0) {
        return false;
      }
      previousKey = key;
      previousKeyEnd = keyEnd;
    }
    return true;
  }

  private static int keyEnd(byte[] ident, int from, int length) {
    for (int at = from; at < length; at++) {
      byte c = ident[at];
      if (c == '=') {
        return at > from ? at : -1;
      }
      if (c <= ' ' || c == 0x7f || c == ';' || c == '!' || c == '^') {
        return -1;
      }
    }
    return -1;
  }

  private static int valueEnd(byte[] ident, int from, int length) {
    int at = from;
    for (; at < length && ident[at] != ';'; at++) {
      if (ident[at] < ' ' || ident[at] == 0x7f) {
        return -1;
      }
    }
    return at == from || ident[from] == '~' ? -1 : at;
  }

  /** Whether a key is greater than the previous one, or the first. */
  private static boolean isAfter(byte[] ident, int previous, int previousEnd, int key, int keyEnd) {
    int one = previous;
    int other = key;
    while (one < previousEnd && other < keyEnd) {
      if (ident[one] != ident[other]) {
        return ident[one] < ident[other];
      }
      one++;
      other++;
    }
    return one == previousEnd && other < keyEnd;
  }

  private static boolean is(byte[] word, byte[] ident, int from, int to) {
    return Arrays.equals(word, 0, word.length, ident, from, to);
  }
}
