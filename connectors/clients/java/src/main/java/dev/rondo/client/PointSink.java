package dev.rondo.client;

/** Takes points. */
interface PointSink {
  /**
   * Takes a point. A value that is NaN or infinite is not known, and is left out.
   *
   * @param ident UTF-8; must not change
   * @param tMs epoch ms
   */
  void add(byte[] ident, long tMs, double value);
}
