package dev.rondo.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Builds the idents of a client's series: {@code prefix.name;k=v;k2=v2}, tags sorted by key.
 * Rejects idents that the topology would change.
 *
 * @param prefix nodes before every name; empty = none
 * @param tags of every series
 */
record Names(String prefix, SortedMap<String, String> tags) {
  /** The defaults of the topology's {@code ident.max.bytes} and {@code ident.max.tags}. */
  static final int MAX_BYTES = 1024;

  static final int MAX_TAGS = 64;

  /** The longest text that a metric appends to its name. */
  private static final int SUFFIX_BYTES = 6;

  Names {
    if (!prefix.isEmpty()) {
      checkName(prefix);
    }
    tags.forEach(Names::checkTag);
  }

  /**
   * Parses {@code k=v;k2=v2}.
   *
   * @throws IllegalArgumentException if a tag has no {@code =}, or its key occurs twice
   */
  static SortedMap<String, String> tags(String text) {
    var tags = new TreeMap<String, String>();
    List<String> parts = text.isBlank() ? List.of() : List.of(text.split(";"));
    for (String tag : parts) {
      int equals = tag.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("'" + tag + "' is not a tag k=v");
      }
      if (tags.put(tag.substring(0, equals).strip(), tag.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("a tag occurs twice in '" + text + "'");
      }
    }
    return tags;
  }

  /**
   * Returns the common part of all series of the client, {@code prefix;k=v}. As part of each ident,
   * it never moves a series to another partition when used as a record key.
   */
  String key() {
    return append(new StringBuilder(prefix), tags).toString();
  }

  /**
   * Returns the ident of a series.
   *
   * @throws IllegalArgumentException if the topology would change or drop it
   */
  String ident(String name, Map<String, String> own) {
    checkName(name);
    own.forEach(Names::checkTag);
    var all = new TreeMap<>(tags);
    own.forEach(
        (key, value) -> {
          if (all.put(key, value) != null) {
            throw new IllegalArgumentException(
                "tag '%s' of '%s' is already a tag of all series of the client (rondo.client.tags)"
                    .formatted(key, name));
          }
        });
    String ident = append(new StringBuilder(withPrefix(name)), all).toString();
    checkLength(ident, all.size());
    return ident;
  }

  private String withPrefix(String name) {
    return prefix.isEmpty() ? name : prefix + "." + name;
  }

  private static StringBuilder append(StringBuilder text, SortedMap<String, String> tags) {
    tags.forEach((key, value) -> text.append(';').append(key).append('=').append(value));
    return text;
  }

  private static void checkLength(String ident, int tags) {
    int bytes = ident.getBytes(StandardCharsets.UTF_8).length + SUFFIX_BYTES;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "series of %d bytes, more than %d: '%.80s…'".formatted(bytes, MAX_BYTES, ident));
    }
    if (tags > MAX_TAGS) {
      throw new IllegalArgumentException(
          "series of %d tags, more than %d: '%.80s…'".formatted(tags, MAX_TAGS, ident));
    }
  }

  /**
   * Returns a series of a metric, with a suffix after the name: {@code shop.pay.p99;host=web01}.
   */
  static byte[] series(String ident, String suffix) {
    int nameEnd = ident.indexOf(';');
    int at = nameEnd < 0 ? ident.length() : nameEnd;
    return (ident.substring(0, at) + suffix + ident.substring(at)).getBytes(StandardCharsets.UTF_8);
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
      throw new IllegalArgumentException("name '" + name + "' has an empty node");
    }
    checkCharacters("name", name, Names::isNameCharacter);
  }

  private static void checkTag(String key, String value) {
    if (key.isEmpty() || key.equals("name")) {
      throw new IllegalArgumentException(
          "a tag with value '" + value + "' has the invalid key '" + key + "'");
    }
    checkCharacters("key of a tag", key, Names::isKeyCharacter);
    if (value.isEmpty()) {
      throw new IllegalArgumentException("tag '" + key + "' has no value");
    }
    checkCharacters("value of tag '" + key + "'", value, Names::isValueCharacter);
  }

  private static void checkCharacters(String what, String text, Allowed allowed) {
    for (int at = 0; at < text.length(); at++) {
      if (!allowed.at(text, at)) {
        throw new IllegalArgumentException(
            "%s '%s' has the invalid character U+%04X at %d"
                .formatted(what, text, (int) text.charAt(at), at));
      }
    }
  }

  private static boolean isNameCharacter(String text, int at) {
    char c = text.charAt(at);
    return isPrintable(text, at) && !Character.isWhitespace(c) && c != ';';
  }

  private static boolean isKeyCharacter(String text, int at) {
    return isNameCharacter(text, at) && "=!^".indexOf(text.charAt(at)) < 0;
  }

  private static boolean isValueCharacter(String text, int at) {
    char c = text.charAt(at);
    return isPrintable(text, at) && c != ';' && (c != '~' || at > 0);
  }

  /** Whether the character is neither a control character nor an unpaired surrogate. */
  private static boolean isPrintable(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
    return c >= ' ' && c != 0x7f;
  }

  /** Replaces invalid characters in a library's name of a metric by {@code _}. */
  static String cleanName(String name) {
    var clean = new StringBuilder(name.length());
    for (String node : List.of(name.split("\\."))) {
      if (!node.isEmpty()) {
        clean.append(clean.isEmpty() ? "" : ".").append(clean(node, Names::isNameCharacter));
      }
    }
    return clean.isEmpty() ? "_" : clean.toString();
  }

  /** Replaces invalid characters in tags by {@code _}; skips tags without a value. */
  static SortedMap<String, String> cleanTags(Map<String, String> tags) {
    var clean = new TreeMap<String, String>();
    tags.forEach(
        (key, value) -> {
          if (value != null && !value.isEmpty()) {
            String cleanKey = key.equals("name") ? "_name" : clean(key, Names::isKeyCharacter);
            clean.put(cleanKey.isEmpty() ? "_" : cleanKey, clean(value, Names::isValueCharacter));
          }
        });
    return clean;
  }

  private interface Allowed {
    boolean at(String text, int index);
  }

  private static String clean(String text, Allowed allowed) {
    var clean = new StringBuilder(text);
    for (int at = 0; at < text.length(); at++) {
      if (!allowed.at(text, at)) {
        clean.setCharAt(at, '_');
      }
    }
    return clean.toString();
  }
}
