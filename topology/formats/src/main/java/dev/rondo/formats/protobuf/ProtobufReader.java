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
  private static final int MAX_NESTING = 64;

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

  @Override
  public Object read(byte[] value, int from, int to) throws DroppedException {
    CodedInputStream in = CodedInputStream.newInstance(value, from, to - from);
    in.setRecursionLimit(MAX_NESTING);
    try {
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
