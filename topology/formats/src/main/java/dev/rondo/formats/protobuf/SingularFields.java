package dev.rondo.formats.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.rondo.formats.DroppedException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts repeats of singular message fields. The parser merges each into a copy of the previous
 * one, which takes quadratic time and memory.
 */
final class SingularFields {
  /** Protobuf allows repeats for concatenated messages, which no known sender produces. */
  private static final int MAX_REPEATS = 16;

  private final CodedInputStream in;
  private int repeats;

  private SingularFields(CodedInputStream in) {
    this.in = in;
  }

  /**
   * Checks a record before it is parsed.
   *
   * @throws DroppedException if there are too many repeats
   */
  static void check(Descriptor message, CodedInputStream in) throws IOException, DroppedException {
    new SingularFields(in).count(message, 0);
  }

  private void count(Descriptor message, int depth) throws IOException, DroppedException {
    Set<FieldDescriptor> seen = new HashSet<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      FieldDescriptor field = message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      boolean isMessage =
          field != null
              && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      if (!isMessage || depth == ProtobufReader.MAX_NESTING) {
        in.skipField(tag);
        continue;
      }
      if (!field.isRepeated() && !seen.add(field) && ++repeats > MAX_REPEATS) {
        throw DroppedException.unreadable(
            "not a message %s: singular field %s is repeated, with more than %d repeats in the record"
                .formatted(message.getFullName(), field.getName(), MAX_REPEATS));
      }
      int outer = in.pushLimit(in.readRawVarint32());
      count(field.getMessageType(), depth + 1);
      in.popLimit(outer);
    }
  }
}
