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
