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
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
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

  /** Imports that every Protobuf compiler provides. */
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

  /** Folders, on the class path, of imports that registries provide. */
  private static final List<String> PROVIDED = List.of("confluent/", "google/type/");

  private final Map<String, ProtoFile> files = new LinkedHashMap<>();

  /** Files that were registered as descriptors instead of text. */
  private final Map<String, FileDescriptorProto> descriptors = new HashMap<>();

  private final Map<String, FileDescriptor> built = new HashMap<>(WELL_KNOWN);
  private Schema linked;
  private SchemaEncoder encoder;

  private ProtoFiles() {}

  /** Returns the descriptor of a schema; throws if its text is invalid. */
  public static FileDescriptor compile(dev.rondo.formats.schemaregistry.Schema schema)
      throws DroppedException {
    try {
      return new ProtoFiles().file(schema);
    } catch (DescriptorValidationException | IOException | RuntimeException e) {
      // Wire throws, among others, IllegalStateException and SchemaException
      throw new DroppedException(
          DropReason.UNSUPPORTED,
          "%s is not a .proto file: %s"
              .formatted(schema.label(), Excerpt.of(String.valueOf(e.getMessage()))));
    } catch (StackOverflowError e) { // the parser recurses
      throw new DroppedException(DropReason.UNSUPPORTED, schema.label() + " is nested too deeply");
    }
  }

  /** Whether any schema can import the file without a reference. */
  public static boolean isWellKnown(String name) {
    return WELL_KNOWN.containsKey(name) || isProvided(name);
  }

  private static boolean isProvided(String name) {
    return PROVIDED.stream().anyMatch(name::startsWith)
        && ProtoFiles.class.getResource("/" + name) != null;
  }

  /**
   * Returns the imports of a .proto file; empty if its text is invalid, which {@link #compile}
   * reports.
   */
  public static List<String> imports(String text) {
    try {
      ProtoFileElement file = ProtoParser.Companion.parse(Location.get(FILE), text);
      List<String> imports = new ArrayList<>(file.getImports());
      imports.addAll(file.getPublicImports());
      imports.addAll(file.getWeakImports());
      return imports;
    } catch (RuntimeException | StackOverflowError e) {
      return List.of();
    }
  }

  /**
   * Returns a message type of a file.
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

  private void add(String name, String text) throws IOException {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "%s has %d characters, more than %d".formatted(name, text.length(), MAX_LENGTH));
    }
    FileDescriptorProto descriptor = descriptor(text);
    if (descriptor == null) {
      ProtoFile file =
          ProtoFile.Companion.get(ProtoParser.Companion.parse(Location.get(name), text));
      files.put(name, file);
      addProvided(imports(file));
    } else {
      descriptors.put(name, descriptor);
      addProvided(descriptor.getDependencyList());
    }
  }

  /**
   * Decodes a descriptor in Base64, as Confluent's client for Python registers it; null for other
   * text.
   */
  private static FileDescriptorProto descriptor(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return bytes.length == 0 ? null : FileDescriptorProto.parseFrom(bytes);
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static List<String> imports(ProtoFile file) {
    List<String> imports = new ArrayList<>(file.getImports());
    imports.addAll(file.getPublicImports());
    return imports;
  }

  private void addProvided(List<String> imports) throws IOException {
    for (String name : imports) {
      if (!files.containsKey(name) && !descriptors.containsKey(name) && isProvided(name)) {
        try (InputStream in = ProtoFiles.class.getResourceAsStream("/" + name)) {
          add(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
  }

  /** Builds a file after all that it imports. */
  private FileDescriptor build(String name, int depth)
      throws DescriptorValidationException, InvalidProtocolBufferException {
    FileDescriptor known = built.get(name);
    if (known != null) {
      return known;
    }
    FileDescriptorProto proto = proto(name);
    if (depth > files.size() + descriptors.size()) {
      throw new IllegalArgumentException("imports form a circle at " + name);
    }
    List<FileDescriptor> dependencies = new ArrayList<>();
    for (String dependency : proto.getDependencyList()) {
      dependencies.add(build(dependency, depth + 1));
    }
    FileDescriptor descriptor =
        FileDescriptor.buildFrom(proto, dependencies.toArray(FileDescriptor[]::new), true);
    built.put(name, descriptor);
    return descriptor;
  }

  private FileDescriptorProto proto(String name) throws InvalidProtocolBufferException {
    FileDescriptorProto descriptor = descriptors.get(name);
    if (descriptor != null) {
      return descriptor;
    }
    if (!files.containsKey(name)) {
      throw new IllegalArgumentException("no reference for import " + name);
    }
    // the encoder names files by path, imports by their registered name
    return FileDescriptorProto.parseFrom(encoder.encode(linked.protoFile(name)).toByteArray())
        .toBuilder()
        .setName(name)
        .build();
  }
}
