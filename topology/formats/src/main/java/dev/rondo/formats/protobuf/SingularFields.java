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
 * Counts messages in fields that are not repeated but come again: the parser merges each into the
 * one before, and copies that, which takes time and memory with the square of their number.
 */
final class SingularFields {
  /** Protobuf allows them for records that were appended to each other, which nobody sends. */
  private static final int MOST = 16;

  private final CodedInputStream in;
  private int again;

  private SingularFields(CodedInputStream in) {
    this.in = in;
  }

  /**
   * Looks at a record before it is parsed.
   *
   * @throws DroppedException if there are too many
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
      if (!field.isRepeated() && !seen.add(field) && ++again > MOST) {
        throw DroppedException.unreadable(
            "not a message %s: field %s comes again, more than %d times in the record"
                .formatted(message.getFullName(), field.getName(), MOST));
      }
      int outer = in.pushLimit(in.readRawVarint32());
      count(field.getMessageType(), depth + 1);
      in.popLimit(outer);
    }
  }
}
