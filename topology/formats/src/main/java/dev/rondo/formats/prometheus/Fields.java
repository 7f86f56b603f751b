package dev.rondo.formats.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Reads fields of a protobuf message: a tag (number and type), then the content. */
final class Fields {
  static final int FIRST_DOUBLE = 1 << 3 | WireFormat.WIRETYPE_FIXED64;
  static final int SECOND_NUMBER = 2 << 3 | WireFormat.WIRETYPE_VARINT;
  static final int FIRST_TEXT = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  static final int SECOND_TEXT = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private Fields() {}

  /**
   * Enters the message that begins here; returns the limit to pass to {@code popLimit} at its end.
   */
  static int enter(CodedInputStream in) throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /**
   * Skips a field. Rejects groups, which proto3 does not have and which could nest without limit.
   */
  static void skip(CodedInputStream in, int tag) throws IOException {
    int type = WireFormat.getTagWireType(tag);
    if (type == WireFormat.WIRETYPE_START_GROUP || !in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group, tag " + tag);
    }
  }
}
