package dev.rondo.formats.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.mapping.SchemaReader;
import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Tree;
import java.io.IOException;

/** Reads one message type of a schema. */
public final class ProtobufReader implements SchemaReader {
  static final int MAX_NESTING = 64;

  /** Below this size, merging repeated fields is cheap. */
  private static final int SMALL_BYTES = 16 << 10;

  private final Descriptor message;
  private final Tree tree = new ProtobufTree();

  /**
   * @param message type of the records
   */
  public ProtobufReader(Descriptor message) {
    this.message = message;
  }

  @Override
  public Shape shape() {
    return ProtobufShape.of(message);
  }

  @Override
  public Tree tree() {
    return tree;
  }

  private static CodedInputStream input(byte[] value, int from, int to) {
    CodedInputStream in = CodedInputStream.newInstance(value, from, to - from);
    in.setRecursionLimit(MAX_NESTING);
    return in;
  }

  @Override
  public Object read(byte[] value, int from, int to) throws DroppedException {
    CodedInputStream in = input(value, from, to);
    try {
      if (to - from > SMALL_BYTES) {
        SingularFields.check(message, input(value, from, to));
      }
      DynamicMessage read = DynamicMessage.parseFrom(message, in);
      in.checkLastTagWas(0);
      return read;
    } catch (InvalidProtocolBufferException e) {
      throw DroppedException.unreadable(
          "not a message %s: %s".formatted(message.getFullName(), Excerpt.of(e.getMessage())));
    } catch (IOException | RuntimeException e) {
      throw DroppedException.unreadable(
          "not a message %s: %s".formatted(message.getFullName(), Excerpt.of(e.toString())));
    }
  }
}
