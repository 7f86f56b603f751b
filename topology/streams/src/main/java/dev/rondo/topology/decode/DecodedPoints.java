package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;
import dev.rondo.topology.order.Progress;

/** Collects the points of source records until they are forwarded. */
interface DecodedPoints {
  /** Characters of idents, or bytes, from which on the collection is full. */
  int FULL = 4 * 1024 * 1024;

  /** Receives the batches of points. */
  @FunctionalInterface
  interface BatchSink {
    /**
     * Receives a batch for a partition.
     *
     * @param writtenMs when its first source record was written, epoch ms
     * @param records which points came from which source record; empty = all from one
     */
    void batch(int partition, Points points, long writtenMs, byte[] records);
  }

  /**
   * Starts a source record; the points that are added next belong to it.
   *
   * @param streamTimeMs newest record time of its partition up to this record, epoch ms
   * @param writtenMs record time, epoch ms
   */
  void begin(long offset, long streamTimeMs, long writtenMs);

  void add(String ident, long tMs, double value);

  /** Whether so many points are collected that they should be forwarded. */
  boolean isFull();

  /**
   * Passes all points to {@code sink} and clears the collection.
   *
   * @param policy of new series; empty = the first policy that matches
   * @param progress of the source partition; its position may be unknown
   */
  void drain(String policy, Progress progress, BatchSink sink);
}
