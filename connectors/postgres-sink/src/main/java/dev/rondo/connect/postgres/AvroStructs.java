package dev.rondo.connect.postgres;

import java.util.List;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/** Converts flat Avro records to Connect structs and back, with the same names and docs. */
final class AvroStructs {
  private AvroStructs() {}

  static Schema schema(org.apache.avro.Schema avro) {
    SchemaBuilder struct = SchemaBuilder.struct().name(avro.getFullName()).doc(avro.getDoc());
    for (org.apache.avro.Schema.Field field : avro.getFields()) {
      struct.field(field.name(), builder(field.schema()).doc(field.doc()).build());
    }
    return struct.build();
  }

  /** Converts {@code record}; {@code schema} was made from its Avro schema. */
  static Struct struct(Schema schema, IndexedRecord record) {
    var struct = new Struct(schema);
    for (org.apache.avro.Schema.Field field : record.getSchema().getFields()) {
      struct.put(field.name(), record.get(field.pos()));
    }
    return struct;
  }

  /** Fills {@code record} from the fields of {@code struct} that have its fields' names. */
  static void fill(IndexedRecord record, Struct struct) {
    for (org.apache.avro.Schema.Field field : record.getSchema().getFields()) {
      Object value = struct.get(field.name());
      if (value == null) {
        throw new DataException(
            "field %s of %s is null".formatted(field.name(), struct.schema().name()));
      }
      record.put(field.pos(), value instanceof List<?> list ? List.copyOf(list) : value);
    }
  }

  private static SchemaBuilder builder(org.apache.avro.Schema type) {
    return switch (type.getType()) {
      case STRING -> SchemaBuilder.string();
      case BOOLEAN -> SchemaBuilder.bool();
      case INT -> SchemaBuilder.int32();
      case LONG -> SchemaBuilder.int64();
      case DOUBLE -> SchemaBuilder.float64();
      case ARRAY -> SchemaBuilder.array(builder(type.getElementType()).build());
      default -> throw new IllegalArgumentException("no Connect type for Avro " + type);
    };
  }
}
