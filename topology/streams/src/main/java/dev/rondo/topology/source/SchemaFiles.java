package dev.rondo.topology.source;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a schema from a file; imports of a .proto file are relative to its folder. */
final class SchemaFiles {
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^\\s*import\\s+(?:public\\s+|weak\\s+)?[\"']([^\"']+)[\"']\\s*;");
  private static final String WELL_KNOWN = "google/protobuf/";

  private SchemaFiles() {}

  /**
   * Reads the file; throws {@link SettingException} if it cannot be read.
   *
   * @param message of a .proto file; empty = its first
   * @param key setting that names the file
   */
  static SchemaFile read(String file, String type, String message, String key) {
    Path path = Path.of(file);
    String text = text(path, key);
    List<Reference> references = new ArrayList<>();
    if (type.equals("PROTOBUF")) {
      addImports(text, path.toAbsolutePath().getParent(), references, new LinkedHashSet<>(), key);
    }
    return new SchemaFile(
        new Schema("schema file '" + file + "'", type, text, references), message);
  }

  private static void addImports(
      String text, Path folder, List<Reference> to, Set<String> seen, String key) {
    Matcher imports = IMPORT.matcher(text);
    while (imports.find()) {
      String name = imports.group(1);
      if (!name.startsWith(WELL_KNOWN) && seen.add(name)) {
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
