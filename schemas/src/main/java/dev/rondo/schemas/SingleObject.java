package dev.rondo.schemas;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Avro's single-object encoding. */
final class SingleObject {
  private SingleObject() {}

  /** The first bytes of every record: two magic bytes, eight of the schema fingerprint. */
  static byte[] header(Schema schema) {
    return ByteBuffer.allocate(2 + Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0xc3)
        .put((byte) 0x01)
        .putLong(SchemaNormalization.parsingFingerprint64(schema))
        .array();
  }

  /** Whether a record begins with a header; false for null. */
  static boolean hasHeader(byte[] record, byte[] header) {
    return record != null
        && record.length >= header.length
        && Arrays.equals(record, 0, header.length, header, 0, header.length);
  }
}
