package dev.rondo.formats;

/**
 * Decodes records of one format into points and drops. Never throws, whatever the bytes. Not
 * thread-safe.
 */
public interface Decoder {
  /**
   * Emits the points of a record to {@code sink}, in order, and everything else as drops.
   *
   * @param value the record's value, not null
   * @param nowMs when the record was written, epoch ms: the time of points without one, or with
   *     "now"
   */
  void decode(byte[] value, long nowMs, PointSink sink);

  /**
   * Like {@link #decode(byte[], long, PointSink)}, for a record that may name its schema in a
   * header.
   *
   * @param schemaId value of the header {@code __value_schema_id}; null without one
   */
  default void decode(byte[] value, byte[] schemaId, long nowMs, PointSink sink) {
    decode(value, nowMs, sink);
  }
}
