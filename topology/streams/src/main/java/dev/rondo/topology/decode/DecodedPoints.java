package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;
import dev.rondo.topology.order.Progress;

/** Collects the points of source records until they are forwarded. */
interface DecodedPoints {
  /** Characters of idents, or bytes, at which the collection is full. */
  int FULL = 4 * 1024 * 1024;

  @FunctionalInterface
  interface BatchSink {
    /**
     * Receives the points of one partition.
     *
     * @param writtenMs time of their first source record, epoch ms
     * @param records which points came from which source record; empty = all from one
     */
    void batch(int partition, Points points, long writtenMs, byte[] records);
  }

  /**
   * Starts a source record; the next points belong to it.
   *
   * @param streamTimeMs newest record time of its partition up to this record, epoch ms
   * @param writtenMs record time, epoch ms
   */
  void begin(long offset, long streamTimeMs, long writtenMs);

  void add(String ident, long tMs, double value);

  /** Whether the points should be forwarded before more are added. */
  boolean isFull();

  /**
   * Passes all points to {@code sink} and clears the collection.
   *
   * @param policy of new series; empty = the first policy that matches
   * @param progress of the source partition; its position may be unknown
   */
  void drain(String policy, Progress progress, BatchSink sink);
}
