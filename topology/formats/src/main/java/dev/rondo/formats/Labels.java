package dev.rondo.formats;

import java.util.Arrays;

/**
 * The labels of one series, sorted by key; of equal keys the last wins. What a tag cannot hold is
 * replaced as they come: in keys white space, control characters and any of {@code ; ! ^ =} by
 * {@code _}, in values control characters and {@code ;}; the {@code ~} that a value begins with
 * vanishes. The key {@code name} becomes {@code _name}: as a tag it would stand for the name of the
 * series. Made once and filled anew for each series.
 */
public final class Labels {
  /** More than an ident may have tags: of more labels, the series is dropped all the same. */
  static final int MOST = 1024;

  private String[] keys = new String[16];
  private String[] values = new String[16];
  private int size;

  /** Whether a label can have this very key. */
  public static boolean isKey(String text) {
    return keyOf(text).equals(text);
  }

  /** The key of a label that its sender calls {@code text}. */
  public static String keyOf(String text) {
    return TagText.key(text);
  }

  /** Takes all labels away. */
  public Labels clear() {
    size = 0;
    return this;
  }

  /** Sets a label; an empty value is none, as in Prometheus. */
  public Labels put(String key, String value) {
    return set(TagText.key(key), TagText.value(value));
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

  /** As {@link Arrays#binarySearch}; of most senders each key is behind those before it. */
  private int find(String key) {
    return size == 0 || keys[size - 1].compareTo(key) < 0
        ? -size - 1
        : Arrays.binarySearch(keys, 0, size, key);
  }

  private void insertAt(int at, String key, String value) {
    if (size == MOST) {
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

  /** Takes the label at {@code at} away; those behind move up. */
  void removeAt(int at) {
    size--;
    System.arraycopy(keys, at + 1, keys, at, size - at);
    System.arraycopy(values, at + 1, values, at, size - at);
  }

  /** The value of the label; null where there is none. */
  public String get(String key) {
    int at = Arrays.binarySearch(keys, 0, size, key);
    return at < 0 ? null : values[at];
  }

  /** Takes the label away and returns its value; null where there is none. */
  public String remove(String key) {
    int at = Arrays.binarySearch(keys, 0, size, key);
    if (at < 0) {
      return null;
    }
    String value = values[at];
    removeAt(at);
    return value;
  }

  /** All labels of {@code others} as well. */
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

  /** Key of the label at {@code n}, from 0, in the order of the keys. */
  public String key(int n) {
    return keys[n];
  }

  /** Value of the label at {@code n}. */
  public String value(int n) {
    return values[n];
  }
}
