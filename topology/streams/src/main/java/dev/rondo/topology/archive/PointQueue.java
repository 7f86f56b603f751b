package dev.rondo.topology.archive;

import java.util.Arrays;

/** Points of a series in time order; points with equal times are in arrival order. */
final class PointQueue {
  private static final int MIN_CAPACITY = 8;

  /** Heap of the queue without its arrays. */
  private static final long HEAP_BYTES = 96;

  /** Heap of a point in the arrays, with its serialized form. */
  private static final long ELEMENT_BYTES = 24;

  private long[] tMs = new long[MIN_CAPACITY];
  private double[] value = new double[MIN_CAPACITY];

  /** The points are at {@code from..to-1}. */
  private int from;

  private int to;

  int size() {
    return to - from;
  }

  long heapBytes() {
    return HEAP_BYTES + ELEMENT_BYTES * tMs.length;
  }

  long oldestMs() {
    return tMs[from];
  }

  long newestMs() {
    return tMs[to - 1];
  }

  /** Time of the nth point, from 0, epoch ms. */
  long tMs(int n) {
    return tMs[from + n];
  }

  double value(int n) {
    return value[from + n];
  }

  /**
   * Returns the index of a new point: the number of points at or before {@code atMs}. Searches from
   * the end, as most points are the newest.
   */
  int indexOf(long atMs) {
    int index = to;
    while (index > from && tMs[index - 1] > atMs) {
      index--;
    }
    return index - from;
  }

  /** Whether the nth point exists and is at {@code atMs}. */
  boolean has(int n, long atMs) {
    return n >= 0 && tMs[from + n] == atMs;
  }

  void insert(int n, long atMs, double v) {
    if (to == tMs.length) {
      makeSpace();
    }
    int at = from + n;
    System.arraycopy(tMs, at, tMs, at + 1, to - at);
    System.arraycopy(value, at, value, at + 1, to - at);
    tMs[at] = atMs;
    value[at] = v;
    to++;
  }

  private void makeSpace() {
    if (from < tMs.length / 2) {
      tMs = Arrays.copyOf(tMs, 2 * tMs.length);
      value = Arrays.copyOf(value, 2 * value.length);
      return;
    }
    if (tMs.length > MIN_CAPACITY && size() < tMs.length / 4) {
      moveTo(tMs.length / 2);
      return;
    }
    System.arraycopy(tMs, from, tMs, 0, size());
    System.arraycopy(value, from, value, 0, size());
    to -= from;
    from = 0;
  }

  /** Halves the capacity if at most half of it is used. */
  void trim() {
    if (tMs.length > MIN_CAPACITY && size() <= tMs.length / 2) {
      moveTo(tMs.length / 2);
    }
  }

  private void moveTo(int capacity) {
    tMs = Arrays.copyOfRange(tMs, from, from + capacity);
    value = Arrays.copyOfRange(value, from, from + capacity);
    to -= from;
    from = 0;
  }

  /** Removes the oldest point and passes it to {@code target}. */
  void releaseFirst(int series, ReorderWindow.Target target) {
    int first = from++;
    target.point(series, tMs[first], value[first]);
  }
}
