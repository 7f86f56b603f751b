package dev.rondo.formats;

/**
 * Decodes the records of one format. Never throws, whatever the bytes: it emits points and drops.
 * Not thread-safe.
 */
public interface Decoder {
  /**
   * Emits every point of a record to {@code sink}, in order, and anything else as a drop.
   *
   * @param value the record's value, not null
   * @param nowMs the time for points without one, or with "now": when the record was written, epoch
   *     ms
   */
  void decode(byte[] value, long nowMs, PointSink sink);
}
