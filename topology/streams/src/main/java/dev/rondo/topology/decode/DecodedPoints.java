package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;

/** The points of source records, until they are handed on. */
interface DecodedPoints {
  /** Characters of idents, or bytes, that are full. */
  int MANY = 4 * 1024 * 1024;

  /** Takes what is handed on. */
  @FunctionalInterface
  interface BatchSink {
    /**
     * A batch for a partition.
     *
     * @param writtenMs when its first source record was written, epoch ms
     * @param records which of its points came in which source record; empty = all in one
     */
    void batch(int partition, Points points, long writtenMs, byte[] records);
  }

  /**
   * A source record begins; what follows is of it.
   *
   * @param streamTimeMs newest record time of its partition up to it, epoch ms
   * @param writtenMs its own time, epoch ms
   */
  void begin(long offset, long streamTimeMs, long writtenMs);

  void add(String ident, long tMs, double value);

  /** Whether so much is gathered that it should be handed on. */
  boolean isFull();

  /**
   * Hands on all points and forgets them.
   *
   * @param policy of the series that are met for the first time; empty = the first that matches
   * @param disorderMs by how much the record times of their partition are out of order, ms
   */
  void drain(String policy, long disorderMs, BatchSink sink);
}
