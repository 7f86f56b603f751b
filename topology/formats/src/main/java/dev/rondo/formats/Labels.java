package dev.rondo.formats;

import java.util.Arrays;

/**
 * Labels of one series, sorted by key; the last of equal keys wins. Characters that a tag cannot
 * hold become {@code _}: in keys white space, control characters and any of {@code ; ! ^ =}, in
 * values control characters and {@code ;}. Leading {@code ~} of a value are removed. The key {@code
 * name} becomes {@code _name}, because Graphite's tag {@code name} is the name of the series.
 * Reused for each series.
 */
public final class Labels {
  /** Exceeds every {@code ident.max.tags}: a series with more labels is dropped anyway. */
  static final int MAX_SIZE = 1024;

  private String[] keys = new String[16];
  private String[] values = new String[16];
  private int size;

  /** Whether {@code text} is a valid key as it is. */
  public static boolean isKey(String text) {
    return keyOf(text).equals(text);
  }

  /** Returns the valid key that replaces the sender's key {@code text}. */
  public static String keyOf(String text) {
    return TagText.key(text);
  }

  public Labels clear() {
    size = 0;
    return this;
  }

  /** Sets a label; an empty value removes it, as in Prometheus. */
  public Labels put(String key, String value) {
    return set(TagText.key(key), TagText.value(value));
  }

  /** Sets a label from {@code key=value}; throws if it is not of this form. */
  public Labels putTag(String tag) throws DroppedException {
    int equals = tag.indexOf('=');
    if (equals < 1) {
      throw DroppedException.unreadable("tag '" + Excerpt.of(tag) + "' is not key=value");
    }
    return put(tag.substring(0, equals), tag.substring(equals + 1));
  }

  private Labels set(String key, String value) {
    int at = find(key);
    if (at >= 0) {
      if (value.isEmpty()) {
        removeAt(at);
      } else {
        values[at] = value;
      }
    } else if (!value.isEmpty()) {
      insertAt(-at - 1, key, value);
    }
    return this;
  }

  /** Like {@link Arrays#binarySearch}; fast for keys that arrive sorted, as from most senders. */
  private int find(String key) {
    return size == 0 || keys[size - 1].compareTo(key) < 0
        ? -size - 1
        : Arrays.binarySearch(keys, 0, size, key);
  }

  private void insertAt(int at, String key, String value) {
    if (size == MAX_SIZE) {
      return;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    System.arraycopy(keys, at, keys, at + 1, size - at);
    System.arraycopy(values, at, values, at + 1, size - at);
    keys[at] = key;
    values[at] = value;
    size++;
  }

  /** Removes the label at {@code at}; later labels move down by one. */
  void removeAt(int at) {
    size--;
    System.arraycopy(keys, at + 1, keys, at, size - at);
    System.arraycopy(values, at + 1, values, at, size - at);
  }

  /** The value of the label; null if it is absent. */
  public String get(String key) {
    int at = Arrays.binarySearch(keys, 0, size, key);
    return at < 0 ? null : values[at];
  }

  /** Removes the label and returns its value; null if it is absent. */
  public String remove(String key) {
    int at = Arrays.binarySearch(keys, 0, size, key);
    if (at < 0) {
      return null;
    }
    String value = values[at];
    removeAt(at);
    return value;
  }

  public Labels putAll(Labels others) {
    if (size == 0) {
      return copy(others);
    }
    for (int n = 0; n < others.size; n++) {
      set(others.keys[n], others.values[n]);
    }
    return this;
  }

  private Labels copy(Labels others) {
    if (keys.length < others.size) {
      keys = new String[others.keys.length];
      values = new String[others.keys.length];
    }
    System.arraycopy(others.keys, 0, keys, 0, others.size);
    System.arraycopy(others.values, 0, values, 0, others.size);
    size = others.size;
    return this;
  }

  public int size() {
    return size;
  }

  /** Key of the label at index {@code n}, in the order of the keys. */
  public String key(int n) {
    return keys[n];
  }

  /** Value of the label at index {@code n}. */
  public String value(int n) {
    return values[n];
  }
}
