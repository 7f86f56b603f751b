package dev.rondo.topology.archive;

import java.util.Arrays;

/** Points in the order of their times; those of equal time in the order of their arrival. */
final class PointQueue {
  private static final int LEAST_ROOM = 8;

  /** Heap of the queue, and of each place in it: in its arrays, and as written. */
  private static final long HEAP_BYTES = 96;

  private static final long PLACE_BYTES = 24;

  private long[] tMs = new long[LEAST_ROOM];
  private double[] value = new double[LEAST_ROOM];

  /** They are at {@code from..to-1}. */
  private int from;

  private int to;

  int size() {
    return to - from;
  }

  long heapBytes() {
    return HEAP_BYTES + PLACE_BYTES * tMs.length;
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

  /** How many points are at or before {@code atMs}: the place of a new one. Most are newest. */
  int placeOf(long atMs) {
    int place = to;
    while (place > from && tMs[place - 1] > atMs) {
      place--;
    }
    return place - from;
  }

  /** Whether the nth point, which need not exist, is at {@code atMs}. */
  boolean has(int n, long atMs) {
    return n >= 0 && tMs[from + n] == atMs;
  }

  void insert(int n, long atMs, double v) {
    if (to == tMs.length) {
      makeRoom();
    }
    int at = from + n;
    System.arraycopy(tMs, at, tMs, at + 1, to - at);
    System.arraycopy(value, at, value, at + 1, to - at);
    tMs[at] = atMs;
    value[at] = v;
    to++;
  }

  private void makeRoom() {
    if (from < tMs.length / 2) {
      tMs = Arrays.copyOf(tMs, 2 * tMs.length);
      value = Arrays.copyOf(value, 2 * value.length);
      return;
    }
    if (tMs.length > LEAST_ROOM && size() < tMs.length / 4) {
      moveTo(tMs.length / 2);
      return;
    }
    System.arraycopy(tMs, from, tMs, 0, size());
    System.arraycopy(value, from, value, 0, size());
    to -= from;
    from = 0;
  }

  /** Gives up half of its places where it does not need them. */
  void trim() {
    if (tMs.length > LEAST_ROOM && size() <= tMs.length / 2) {
      moveTo(tMs.length / 2);
    }
  }

  private void moveTo(int places) {
    tMs = Arrays.copyOfRange(tMs, from, from + places);
    value = Arrays.copyOfRange(value, from, from + places);
    to -= from;
    from = 0;
  }

  /** Takes the oldest point out and hands it on. */
  void sendFirst(int series, ReorderWindow.Target target) {
    int first = from++;
    target.point(series, tMs[first], value[first]);
  }
}
