package dev.rondo.formats.protobuf;

import com.google.protobuf.AnyProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import com.squareup.wire.schema.CoreLoader;
import com.squareup.wire.schema.ErrorCollector;
import com.squareup.wire.schema.Linker;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.ProtoFile;
import com.squareup.wire.schema.Schema;
import com.squareup.wire.schema.internal.SchemaEncoder;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles a .proto file and its imports. Wire parses the text; Google's library, which reads the
 * messages, takes the descriptors.
 */
public final class ProtoFiles {
  private static final String FILE = "schema.proto";
  private static final int MAX_LENGTH = 1 << 20;

  /** Imports that every Protobuf compiler brings. */
  private static final Map<String, FileDescriptor> WELL_KNOWN =
      Map.of(
          "google/protobuf/any.proto", AnyProto.getDescriptor(),
          "google/protobuf/descriptor.proto", DescriptorProtos.getDescriptor(),
          "google/protobuf/duration.proto", DurationProto.getDescriptor(),
          "google/protobuf/empty.proto", EmptyProto.getDescriptor(),
          "google/protobuf/field_mask.proto", FieldMaskProto.getDescriptor(),
          "google/protobuf/struct.proto", StructProto.getDescriptor(),
          "google/protobuf/timestamp.proto", TimestampProto.getDescriptor(),
          "google/protobuf/wrappers.proto", WrappersProto.getDescriptor());

  private final Map<String, ProtoFile> files = new LinkedHashMap<>();
  private final Map<String, FileDescriptor> built = new HashMap<>(WELL_KNOWN);
  private Schema linked;
  private SchemaEncoder encoder;

  private ProtoFiles() {}

  /** The descriptor of a schema; throws {@link DroppedException} if its text is wrong. */
  public static FileDescriptor compile(dev.rondo.formats.schemaregistry.Schema schema)
      throws DroppedException {
    try {
      return new ProtoFiles().file(schema);
    } catch (DescriptorValidationException | IOException | RuntimeException e) {
      // Wire throws what it meets: IllegalStateException, SchemaException
      throw new DroppedException(
          DropReason.UNSUPPORTED,
          "%s is not a .proto file: %s"
              .formatted(schema.label(), Excerpt.of(String.valueOf(e.getMessage()))));
    } catch (StackOverflowError e) { // the parser's depth is that of the text
      throw new DroppedException(DropReason.UNSUPPORTED, schema.label() + " is nested too deep");
    }
  }

  /**
   * A message type of a file.
   *
   * @param indexes of a top-level type, then of each nested one
   */
  public static Descriptor message(FileDescriptor file, List<Integer> indexes, String label)
      throws DroppedException {
    List<Descriptor> types = file.getMessageTypes();
    Descriptor found = null;
    for (int index : indexes) {
      if (index < 0 || index >= types.size()) {
        throw DroppedException.unreadable(
            "%s has no message with the indexes %s".formatted(label, indexes));
      }
      found = types.get(index);
      types = found.getNestedTypes();
    }
    return found;
  }

  private FileDescriptor file(dev.rondo.formats.schemaregistry.Schema schema)
      throws IOException, DescriptorValidationException {
    for (var reference : schema.references()) {
      add(reference.name(), reference.text());
    }
    add(FILE, schema.text());
    linked = new Linker(CoreLoader.INSTANCE, new ErrorCollector(), true, true).link(files.values());
    encoder = new SchemaEncoder(linked);
    return build(FILE, 0);
  }

  private void add(String name, String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "%s has %d characters, more than %d".formatted(name, text.length(), MAX_LENGTH));
    }
    files.put(name, ProtoFile.Companion.get(ProtoParser.Companion.parse(Location.get(name), text)));
  }

  /** Builds a file after all that it imports. */
  private FileDescriptor build(String name, int depth)
      throws DescriptorValidationException, InvalidProtocolBufferException {
    FileDescriptor known = built.get(name);
    if (known != null) {
      return known;
    }
    ProtoFile file = files.containsKey(name) ? linked.protoFile(name) : null;
    if (file == null || depth > files.size()) {
      throw new IllegalArgumentException(
          file == null ? "no reference for import " + name : "imports form a circle at " + name);
    }
    List<String> imports = new ArrayList<>(file.getImports());
    imports.addAll(file.getPublicImports());
    List<FileDescriptor> dependencies = new ArrayList<>();
    for (String dependency : imports) {
      dependencies.add(build(dependency, depth + 1));
    }
    // the names of files are ours: the encoder's are paths
    FileDescriptorProto proto =
        FileDescriptorProto.parseFrom(encoder.encode(file).toByteArray()).toBuilder()
            .setName(name)
            .build();
    FileDescriptor descriptor =
        FileDescriptor.buildFrom(proto, dependencies.toArray(FileDescriptor[]::new), true);
    built.put(name, descriptor);
    return descriptor;
  }
}
