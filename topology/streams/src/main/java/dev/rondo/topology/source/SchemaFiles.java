package dev.rondo.topology.source;

import dev.rondo.formats.protobuf.ProtoFiles;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.Schema.Reference;
import dev.rondo.formats.schemaregistry.SchemaFile;
import dev.rondo.topology.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads schemas from files. Imports of a .proto file are relative to its folder. */
public final class SchemaFiles {
  private SchemaFiles() {}

  /**
   * Reads the file; throws {@link SettingException} if it cannot be read.
   *
   * @param message message of a .proto file; empty = the first
   * @param isFramed whether the records are framed
   * @param key setting that names the file, for error texts
   */
  public static SchemaFile read(
      String file, String type, String message, boolean isFramed, String key) {
    Path path = Path.of(file);
    String text = text(path, key);
    List<Reference> references = new ArrayList<>();
    if (type.equals("PROTOBUF")) {
      addImports(text, path.toAbsolutePath().getParent(), references, new LinkedHashSet<>(), key);
    }
    return new SchemaFile(
        new Schema("schema file '" + file + "'", type, text, references), message, isFramed);
  }

  private static void addImports(
      String text, Path folder, List<Reference> to, Set<String> seen, String key) {
    for (String name : ProtoFiles.imports(text)) {
      if (!ProtoFiles.isWellKnown(name) && seen.add(name)) {
        String imported = text(folder.resolve(name), key);
        addImports(imported, folder, to, seen, key);
        to.add(new Reference(name, imported));
      }
    }
  }

  private static String text(Path file, String key) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new SettingException("cannot read file '%s' (%s)".formatted(file, key));
    }
  }
}
