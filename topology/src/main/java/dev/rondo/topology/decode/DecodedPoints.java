package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;

/** The points of one source record, until they are handed on. */
interface DecodedPoints {
  /** Takes a batch for a partition. */
  @FunctionalInterface
  interface BatchSink {
    void batch(int partition, Points points);
  }

  void add(String ident, long tMs, double value);

  /**
   * Hands on all points and forgets them.
   *
   * @param policy of the series that are met for the first time; empty = the first that matches
   */
  void drain(String policy, BatchSink sink);
}
