package dev.rondo.local.parts;

import dev.rondo.local.settings.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;

/**
 * The classes of a module and its dependencies in a file (class data sharing): a JVM that maps it
 * starts in less time and needs less memory. It is written by the first start after a build.
 *
 * @param file the archive
 * @param built when the class path was last built; an older archive does not fit it
 */
public record ClassArchive(Path file, FileTime built) {
  /**
   * The archive for a class path.
   *
   * @param module such as {@code deploy/local}
   */
  public static ClassArchive of(Installation installation, String module) {
    String name = "%s-%s.jsa".formatted(module.replace('/', '-'), Runtime.version());
    return new ClassArchive(installation.cache().resolve(name), installation.built(module));
  }

  /** Options for the JVM. */
  public List<String> options() {
    return isCurrent() ? List.of("-XX:SharedArchiveFile=" + file) : List.of();
  }

  boolean isCurrent() {
    try {
      return Files.getLastModifiedTime(file).compareTo(built) > 0;
    } catch (IOException e) {
      return false; // there is none yet
    }
  }

  /**
   * Writes the classes that a JVM has loaded; that JVM runs on.
   *
   * @param directory where it was started
   */
  void write(long pid, Path directory) throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    Path unfinished = file.resolveSibling(file.getFileName() + "." + pid);
    try {
      Jcmd.run(pid, "VM.cds", "static_dump", unfinished.toString());
      if (Files.exists(unfinished)) {
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(unfinished);
      deleteOutput(directory);
    }
  }

  /** Deletes what the JVM leaves: the output of the process that wrote the archive. */
  private static void deleteOutput(Path directory) throws IOException {
    try (var outputs = Files.newDirectoryStream(directory, "java_pid*_std{out,err}")) {
      for (Path output : outputs) {
        Files.delete(output);
      }
    }
  }
}
