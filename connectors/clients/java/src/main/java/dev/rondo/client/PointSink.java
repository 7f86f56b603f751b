package dev.rondo.client;

/** Receives points. */
interface PointSink {
  /**
   * Receives a point. A value that is NaN or infinite is unknown, and skipped.
   *
   * @param ident UTF-8; must not change
   * @param tMs epoch ms
   */
  void add(byte[] ident, long tMs, double value);
}
