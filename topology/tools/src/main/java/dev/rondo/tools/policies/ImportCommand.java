package dev.rondo.tools.policies;

import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a policies file from Graphite's. Exit code 0, 1 on failure, 2 on wrong usage. */
@Command(
    name = "import",
    description = {
      "Writes a policies file from Graphite's storage-schemas.conf and "
          + "storage-aggregation.conf.",
      "",
      "It has their patterns, retentions and functions. All policies are in Whisper mode."
    },
    footer = {
      "A series belongs to the first schema and the first aggregation whose patterns are found in "
          + "its name, so each policy is one of each. What has no equivalent becomes a comment.",
      "",
      "Exit code 0 on success, 1 when a file cannot be read or written, 2 on wrong usage."
    })
public final class ImportCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "SCHEMAS", description = "Graphite's storage-schemas.conf.")
  private Path schemas;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AGGREGATION",
      description = "Graphite's storage-aggregation.conf (default: the mean, with xff 0.5).")
  private Path aggregation;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "New file to write (default: standard output).")
  private Path output;

  @Override
  public Integer call() {
    List<StorageSchema> storage = StorageSchema.all(IniFile.parse(read(schemas)), schemas);
    List<StorageAggregation> functions =
        aggregation == null
            ? List.of(StorageAggregation.DEFAULT)
            : StorageAggregation.all(IniFile.parse(read(aggregation)), aggregation);
    String yaml = PoliciesText.of(ImportedPolicy.all(storage, functions));
    PoliciesFile.parse(yaml);
    write(yaml);
    return ExitCode.OK;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw CommandException.misuse("there is no file " + file);
    } catch (IOException e) {
      throw CommandException.refused("cannot read " + file + ": " + e.getMessage());
    }
  }

  private void write(String yaml) {
    if (output == null) {
      System.out.print(yaml);
      return;
    }
    try {
      Files.write(output, yaml.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw CommandException.refused(output + " exists already (--output)");
    } catch (IOException e) {
      throw CommandException.refused("cannot write " + output + ": " + e.getMessage());
    }
  }
}
