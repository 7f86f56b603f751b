package dev.rondo.formats.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.mapping.SchemaDecoder;
import dev.rondo.formats.mapping.SchemaReader;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compiles Protobuf schemas. Not thread-safe. */
public final class ProtobufCompiler implements SchemaDecoder.Compiler {
  private static final int MAX_FILES = 100;

  /** Cached because compiling takes milliseconds, and each record can name another message. */
  private final Map<Schema, FileDescriptor> files = new HashMap<>();

  @Override
  public String type() {
    return "PROTOBUF";
  }

  @Override
  public boolean hasMessages() {
    return true;
  }

  @Override
  public SchemaReader compile(Schema schema, List<Integer> message) throws DroppedException {
    FileDescriptor file = files.get(schema);
    if (file == null) {
      if (files.size() == MAX_FILES) {
        files.clear();
      }
      file = ProtoFiles.compile(schema);
      files.put(schema, file);
    }
    return new ProtobufReader(ProtoFiles.message(file, message, schema.label()));
  }

  @Override
  public SchemaReader compile(SchemaFile file) throws DroppedException {
    FileDescriptor descriptor = ProtoFiles.compile(file.schema());
    List<Descriptor> all = new ArrayList<>();
    addAll(descriptor.getMessageTypes(), all);
    for (Descriptor type : all) {
      if (file.message().isEmpty()
          || type.getFullName().equals(file.message())
          || type.getName().equals(file.message())) {
        return new ProtobufReader(type);
      }
    }
    throw new DroppedException(
        DropReason.UNSUPPORTED,
        "%s has no message '%s', only %s (message)"
            .formatted(
                file.schema().label(),
                file.message(),
                all.stream().map(Descriptor::getFullName).toList()));
  }

  private static void addAll(List<Descriptor> types, List<Descriptor> to) {
    for (Descriptor type : types) {
      to.add(type);
      addAll(type.getNestedTypes(), to);
    }
  }
}
