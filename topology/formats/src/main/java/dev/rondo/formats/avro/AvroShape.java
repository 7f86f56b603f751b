package dev.rondo.formats.avro;

import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Shape.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Derives shapes from Avro schemas. */
final class AvroShape {
  private AvroShape() {}

  static Shape of(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> Shape.record(schema.getFullName(), () -> fields(schema));
      case ARRAY -> Shape.collection(Kind.LIST, () -> of(schema.getElementType()));
      case MAP -> Shape.collection(Kind.MAP, () -> of(schema.getValueType()));
      case UNION -> union(schema.getTypes());
      case INT, LONG -> Shape.of(isTime(schema.getLogicalType()) ? Kind.TIME : Kind.NUMBER);
      case FLOAT, DOUBLE -> Shape.of(Kind.NUMBER);
      case BOOLEAN -> Shape.of(Kind.BOOLEAN);
      case STRING, ENUM -> Shape.of(Kind.TEXT);
      case BYTES, FIXED -> Shape.of(isDecimal(schema.getLogicalType()) ? Kind.NUMBER : Kind.BYTES);
      case NULL -> Shape.of(Kind.ANY);
    };
  }

  private static Map<String, Shape> fields(Schema schema) {
    Map<String, Shape> fields = new LinkedHashMap<>();
    schema.getFields().forEach(field -> fields.put(field.name(), of(field.schema())));
    return fields;
  }

  /**
   * Returns the shape of the only non-null type; with several types, only the record shows which.
   */
  private static Shape union(List<Schema> types) {
    List<Schema> others =
        types.stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
    return others.size() == 1 ? of(others.get(0)) : Shape.of(Kind.ANY);
  }

  private static boolean isDecimal(LogicalType type) {
    return type instanceof LogicalTypes.Decimal || type instanceof LogicalTypes.BigDecimal;
  }

  private static boolean isTime(LogicalType type) {
    return type != null
        && (type.getName().contains("timestamp-") || type instanceof LogicalTypes.Date);
  }
}
