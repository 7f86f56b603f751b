package dev.rondo.formats.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Shape.Kind;
import java.util.LinkedHashMap;
import java.util.Map;

/** Derives shapes from message types. */
final class ProtobufShape {
  private static final int VALUE = 2;

  private ProtobufShape() {}

  static Shape of(Descriptor type) {
    Kind scalar = WellKnown.kind(type);
    return scalar == null ? Shape.record(type.getFullName(), () -> fields(type)) : Shape.of(scalar);
  }

  private static Map<String, Shape> fields(Descriptor type) {
    Map<String, Shape> fields = new LinkedHashMap<>();
    type.getFields().forEach(field -> fields.put(field.getName(), of(field)));
    return fields;
  }

  private static Shape of(FieldDescriptor field) {
    if (field.isMapField()) {
      FieldDescriptor value = field.getMessageType().findFieldByNumber(VALUE);
      return Shape.collection(Kind.MAP, () -> item(value));
    }
    return field.isRepeated() ? Shape.collection(Kind.LIST, () -> item(field)) : item(field);
  }

  private static Shape item(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT, LONG, FLOAT, DOUBLE -> Shape.of(Kind.NUMBER);
      case BOOLEAN -> Shape.of(Kind.BOOLEAN);
      case STRING, ENUM -> Shape.of(Kind.TEXT);
      case BYTE_STRING -> Shape.of(Kind.BYTES);
      case MESSAGE -> of(field.getMessageType());
    };
  }
}
