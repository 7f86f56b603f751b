package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DroppedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The schema id of a record: in its first bytes, or in the header {@value #HEADER}.
 *
 * <pre>
 *   bytes of the record   0 id:4 payload             Avro, JSON
 *                         0 id:4 indexes payload     Protobuf
 *   bytes of the header   0 id:4 [indexes], or 1 GUID:16 [indexes]; the record is the payload
 *   indexes               n, then n numbers, zigzag varints; 0 stands for one index 0
 * </pre>
 *
 * @param message of Protobuf: index of the message in its file, then of each nested one in its
 *     parent
 * @param payload first byte of the payload in the record
 */
public record Framing(SchemaId schema, List<Integer> message, int payload) {

  public static final String HEADER = "__value_schema_id";

  private static final int ID_BYTES = 5;
  private static final int GUID_BYTES = 17;

  /** Not below Protobuf's own nesting limit. */
  private static final int MAX_NESTING = 32;

  private static final List<Integer> FIRST = List.of(0);

  public Framing {
    message = List.copyOf(message);
  }

  /** Whether the bytes begin like the id of a schema and have a payload. */
  public static boolean isFramed(byte[] value) {
    return value.length > ID_BYTES && value[0] == 0;
  }

  /**
   * Returns the offset of the payload in a framed record of JSON or Protobuf, whose payloads never
   * begin with a 0; 0 if the record is not framed.
   */
  public static int payload(byte[] value) {
    if (!isFramed(value)) {
      return 0;
    }
    if (value[ID_BYTES] == '{' || value[ID_BYTES] == '[') { // as an index, these are negative
      return ID_BYTES;
    }
    try {
      return new Indexes(value, ID_BYTES, true).end;
    } catch (DroppedException e) {
      return 0;
    }
  }

  /** Returns the payload of a framed record; the record itself if it is not framed. */
  public static byte[] unframed(byte[] value) {
    int payload = payload(value);
    return payload == 0 ? value : Arrays.copyOfRange(value, payload, value.length);
  }

  /**
   * Reads the framing of a record.
   *
   * @param header value of {@link #HEADER}; null without one
   * @param hasMessage whether the indexes of a Protobuf message follow the id
   */
  public static Framing read(byte[] value, byte[] header, boolean hasMessage)
      throws DroppedException {
    if (header == null) {
      if (value.length < ID_BYTES || value[0] != 0) {
        throw DroppedException.unreadable(
            "no schema id: neither the byte 0 and an id of 4 bytes at the beginning, nor a header "
                + HEADER);
      }
      Indexes indexes = new Indexes(value, ID_BYTES, hasMessage);
      return new Framing(number(value), indexes.path, indexes.end);
    }
    if (header.length >= ID_BYTES && header[0] == 0) {
      return new Framing(number(header), new Indexes(header, ID_BYTES, hasMessage).path, 0);
    }
    if (header.length >= GUID_BYTES && header[0] == 1) {
      ByteBuffer guid = ByteBuffer.wrap(header, 1, GUID_BYTES - 1);
      SchemaId id = SchemaId.of(new UUID(guid.getLong(), guid.getLong()));
      return new Framing(id, new Indexes(header, GUID_BYTES, hasMessage).path, 0);
    }
    throw DroppedException.unreadable(
        "header %s of %d bytes is neither 0 and an id of 4 bytes nor 1 and a GUID of 16"
            .formatted(HEADER, header.length));
  }

  private static SchemaId number(byte[] bytes) {
    return SchemaId.of(ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt());
  }

  /** The indexes of a message, and where they end. */
  private static final class Indexes {
    private final byte[] bytes;
    private int end;
    private List<Integer> path = List.of();

    Indexes(byte[] bytes, int from, boolean isPresent) throws DroppedException {
      this.bytes = bytes;
      this.end = from;
      if (isPresent) {
        path = bytes.length == from ? FIRST : read();
      }
    }

    private List<Integer> read() throws DroppedException {
      int count = next();
      if (count == 0) {
        return FIRST;
      }
      if (count < 0 || count > MAX_NESTING) {
        throw DroppedException.unreadable(
            "%d indexes of a Protobuf message, more than %d".formatted(count, MAX_NESTING));
      }
      List<Integer> read = new ArrayList<>();
      for (int n = 0; n < count; n++) {
        read.add(next());
      }
      return read;
    }

    private int next() throws DroppedException {
      int zigzag = 0;
      for (int shift = 0; shift < Integer.SIZE && end < bytes.length; shift += 7) {
        byte b = bytes[end++];
        zigzag |= (b & 0x7f) << shift;
        if (b >= 0) {
          return (zigzag >>> 1) ^ -(zigzag & 1);
        }
      }
      throw DroppedException.unreadable("the indexes of a Protobuf message do not end");
    }
  }
}
