package dev.rondo.loadgen.encode;

/** Writes the records of one format. Used for one after the other, by one thread. */
public interface Encoder {
  /**
   * Adds a point to the record.
   *
   * @param generation of its machine
   * @param tMs epoch ms
   */
  void add(int series, long generation, long tMs, double value);

  /** The record of all points since the last one; begins a new one. */
  byte[] take();
}
