package dev.rondo.formats.influx;

import java.util.Arrays;

/** Offsets of keys and values in a record. Reused for each line. */
final class Pairs {
  private static final int NUMBERS = 4;

  private int[] bounds = new int[16 * NUMBERS];
  private int size;

  void clear() {
    size = 0;
  }

  void add(int keyFrom, int keyTo, int valueFrom, int valueTo) {
    int at = size * NUMBERS;
    if (at == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * at);
    }
    bounds[at] = keyFrom;
    bounds[at + 1] = keyTo;
    bounds[at + 2] = valueFrom;
    bounds[at + 3] = valueTo;
    size++;
  }

  int size() {
    return size;
  }

  int keyFrom(int n) {
    return bounds[n * NUMBERS];
  }

  int keyTo(int n) {
    return bounds[n * NUMBERS + 1];
  }

  int valueFrom(int n) {
    return bounds[n * NUMBERS + 2];
  }

  int valueTo(int n) {
    return bounds[n * NUMBERS + 3];
  }
}
