package dev.rondo.loadgen.encode;

/** Encodes records of one format, one at a time. Not thread-safe. */
public interface Encoder {
  /**
   * Adds a point to the current record.
   *
   * @param generation of its machine
   * @param tMs epoch ms
   */
  void add(int series, long generation, long tMs, double value);

  /** Returns the record with all points since the last call, and begins a new one. */
  byte[] take();
}
