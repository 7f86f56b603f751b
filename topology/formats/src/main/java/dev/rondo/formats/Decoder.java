package dev.rondo.formats;

/**
 * Reads one format. Whatever the bytes are, it throws nothing: points or drops, never an error. Not
 * safe to share between threads.
 */
public interface Decoder {
  /**
   * Hands every point of a record to {@code sink}, in order, and what is none as a drop.
   *
   * @param value the record's value, not null
   * @param nowMs the time that the format's "now" means: when the record was written, epoch ms
   */
  void decode(byte[] value, long nowMs, PointSink sink);
}
