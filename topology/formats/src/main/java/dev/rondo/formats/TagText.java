package dev.rondo.formats;

/** Replaces characters that keys and values of tags cannot hold. */
final class TagText {
  private static final String NAME = "name";

  private TagText() {}

  /** Returns a valid key; {@code key} itself if it is valid. */
  static String key(String key) {
    if (key.equals(NAME)) {
      return "_" + NAME;
    }
    if (key.isEmpty()) {
      return "_";
    }
    int at = 0;
    while (at < key.length() && isAllowedInKey(key, at)) {
      at++;
    }
    if (at == key.length()) {
      return key;
    }
    StringBuilder replaced = new StringBuilder(key);
    for (; at < key.length(); at++) {
      if (!isAllowedInKey(key, at)) {
        replaced.setCharAt(at, '_');
      }
    }
    return replaced.toString();
  }

  private static boolean isAllowedInKey(String key, int at) {
    char c = key.charAt(at);
    return isAllowedInValue(key, at) && c != ' ' && c != '=' && c != '!' && c != '^';
  }

  /** Returns a valid value, which may be empty; {@code value} itself if it is valid. */
  static String value(String value) {
    int from = 0;
    while (from < value.length() && value.charAt(from) == '~') {
      from++;
    }
    int at = from;
    while (at < value.length() && isAllowedInValue(value, at)) {
      at++;
    }
    if (at == value.length()) {
      return from == 0 ? value : value.substring(from);
    }
    StringBuilder replaced = new StringBuilder(value).delete(0, from);
    for (; at < value.length(); at++) {
      if (!isAllowedInValue(value, at)) {
        replaced.setCharAt(at - from, '_');
      }
    }
    return replaced.toString();
  }

  private static boolean isAllowedInValue(String value, int at) {
    char c = value.charAt(at);
    return c < 0x7f ? c >= ' ' && c != ';' : c != 0x7f && !Surrogates.isUnpaired(value, at);
  }
}
