package dev.rondo.formats.avro;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.mapping.SchemaDecoder;
import dev.rondo.formats.mapping.SchemaReader;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import java.util.List;

/** Compiles Avro schemas. */
public final class AvroCompiler implements SchemaDecoder.Compiler {
  @Override
  public String type() {
    return "AVRO";
  }

  @Override
  public boolean hasMessages() {
    return false;
  }

  @Override
  public SchemaReader compile(Schema schema, List<Integer> message) throws DroppedException {
    return AvroReader.of(schema);
  }

  @Override
  public SchemaReader compile(SchemaFile file) throws DroppedException {
    return AvroReader.of(file.schema());
  }
}
