package dev.rondo.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Archives of loaded classes (class data sharing) in a folder: a JVM that maps one starts with less
 * CPU time. An archive contains the classes that one main class loads of the JDK and of libraries,
 * not those of Rondo, so that it remains valid after a build and fits the class paths of several
 * modules.
 *
 * <pre>
 *   MAIN-JAVA-ID.jsa    the archive
 *   MAIN-JAVA-ID.jars   its class path, a path per line: the beginning of every class path that uses it
 * </pre>
 *
 * <p>A JVM ignores an archive that does not fit it or that is damaged. Failures here are never
 * those of the process: it starts without an archive.
 */
final class ClassArchives {
  /** Environment variable: the folder; without it, or empty, there are no archives. */
  static final String VARIABLE = "RONDO_CLASS_ARCHIVES";

  private static final String ARCHIVE = ".jsa";
  private static final String JARS = ".jars";
  private static final String CLASSES = ".classes";
  private static final String UNFINISHED = ".unfinished";

  /** Names of classes of which an archive is being written. */
  private static final String UNFINISHED_CLASSES = CLASSES + UNFINISHED;

  /** $1: the names, $2: the unfinished archive, $3: the archive, $4: its jars, then the command. */
  private static final String DUMP =
      """
      names=$1 unfinished=$2 archive=$3 jars=$4
      shift 4
      nice -n 10 "$@" && mv -f "$unfinished" "$archive" || rm -f "$jars"
      rm -f "$names" "$unfinished"
      """;

  /** Classes of a jar that make it a part of an archive. */
  private static final int FEWEST_CLASSES = 5;

  /** Archives of one main class: modules may have different versions of a library. */
  private static final int MOST = 4;

  /** Files of processes that were killed; writing takes less. */
  private static final Duration ABANDONED = Duration.ofMinutes(15);

  private final Path folder;

  ClassArchives(Path folder) {
    this.folder = folder;
  }

  /** Those of the environment variable. */
  static Optional<ClassArchives> ofEnvironment() {
    String folder = System.getenv().getOrDefault(VARIABLE, "");
    return folder.isBlank()
        ? Optional.empty()
        : Optional.of(new ClassArchives(Path.of(folder).toAbsolutePath()));
  }

  /**
   * An archive and the jars that a class path must begin with.
   *
   * @param file the archive
   * @param jars in their order
   */
  record Archive(Path file, List<String> jars) {
    List<String> options() {
      return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:class+path=off");
    }

    /** The same class path, with the archive's jars first. */
    String reorder(String classPath) {
      var entries = new LinkedHashSet<>(jars);
      entries.addAll(entries(classPath));
      return String.join(File.pathSeparator, entries);
    }
  }

  /** The latest archive that fits a main class with a class path. */
  Optional<Archive> find(String mainClass, String classPath) {
    Set<String> entries = new LinkedHashSet<>(entries(classPath));
    for (Path file : archives(mainClass)) {
      try {
        List<String> jars = Files.readAllLines(withSuffix(file, JARS));
        if (entries.containsAll(jars) && isNewerThan(file, jars)) {
          return Optional.of(new Archive(file, jars));
        }
      } catch (IOException e) {
        // it is being replaced: the next one may fit
      }
    }
    return Optional.empty();
  }

  /**
   * A file for the names of the classes that a JVM loads ({@code -XX:DumpLoadedClassList}).
   *
   * @throws IOException if the folder cannot be written
   */
  Path newClassList(String mainClass) throws IOException {
    Files.createDirectories(folder);
    return Files.createFile(folder.resolve(mainClass + "-" + UUID.randomUUID() + CLASSES));
  }

  /**
   * Starts to write an archive, unless another process does so or has done so meanwhile. The work
   * takes seconds of CPU time at a low priority, and goes on if this JVM ends: runs of a single
   * test would otherwise never complete it.
   *
   * @param classes file with the names of the loaded classes
   * @return the process that writes, if any
   */
  Optional<Process> write(String mainClass, String classPath, Path classes) throws IOException {
    deleteAbandoned();
    if (find(mainClass, classPath).isPresent()) {
      return Optional.empty();
    }
    Path list = folder.resolve(prefix(mainClass) + "latest" + UNFINISHED_CLASSES);
    List<String> names = librariesOnly(Files.readAllLines(classes));
    List<String> jars = jarsWith(names, classPath);
    try {
      Files.createFile(list); // only one process at once succeeds
    } catch (FileAlreadyExistsException e) {
      return Optional.empty();
    }
    Files.write(list, names);
    Path archive = folder.resolve(prefix(mainClass) + UUID.randomUUID() + ARCHIVE);
    Files.write(withSuffix(archive, JARS), jars);
    deleteOldest(mainClass);
    return Optional.of(dump(jars, list, archive));
  }

  /** Without Rondo's classes, and without those of other class loaders, such as Connect's. */
  private static List<String> librariesOnly(List<String> names) {
    return names.stream()
        .filter(line -> !line.contains("dev/rondo/") && !line.contains("source:"))
        .toList();
  }

  /**
   * The jars that many of the classes are loaded from, in their order in the class path. Others
   * would gain little, and modules have different versions of small libraries.
   */
  private static List<String> jarsWith(List<String> names, String classPath) throws IOException {
    var left = new LinkedHashSet<String>();
    for (String line : names) {
      if (!line.startsWith("@") && !line.startsWith("#")) {
        left.add(line.split(" ", 2)[0] + ".class");
      }
    }
    var used = new ArrayList<String>();
    for (String entry : entries(classPath)) {
      Path path = Path.of(entry);
      if (isLibrary(path)) {
        try (var jar = new JarFile(path.toFile())) {
          int before = left.size();
          left.removeIf(each -> jar.getEntry(each) != null);
          if (before - left.size() >= FEWEST_CLASSES) {
            used.add(entry);
          }
        }
      }
    }
    return used;
  }

  private static boolean isLibrary(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".jar") && !name.startsWith("rondo-") && Files.isRegularFile(path);
  }

  /** A shell, because only a complete archive gets its name, after the end of this JVM, too. */
  private Process dump(List<String> jars, Path classes, Path archive) throws IOException {
    Path unfinished = withSuffix(archive, UNFINISHED);
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:dump",
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:SharedClassListFile=" + classes,
            "-XX:SharedArchiveFile=" + unfinished,
            "-cp",
            String.join(File.pathSeparator, jars));
    var command = new ArrayList<>(List.of("sh", "-c", DUMP, "class-archives"));
    command.addAll(
        List.of(
            classes.toString(),
            unfinished.toString(),
            archive.toString(),
            withSuffix(archive, JARS).toString()));
    command.addAll(java);
    return new ProcessBuilder(Commands.inOwnSession(command))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Those of this JVM's version, the latest first. */
  private List<Path> archives(String mainClass) {
    String prefix = prefix(mainClass);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> name(file).startsWith(prefix) && name(file).endsWith(ARCHIVE))
          .sorted(Comparator.comparing(ClassArchives::modified).reversed())
          .toList();
    } catch (IOException e) {
      return List.of(); // there is no folder yet
    }
  }

  private static String prefix(String mainClass) {
    String java = System.getProperty("java.vm.version") + "-" + System.getProperty("os.arch");
    return mainClass + "-" + java.replaceAll("[^A-Za-z0-9.+]", "-") + "-";
  }

  private static boolean isNewerThan(Path file, List<String> jars) throws IOException {
    FileTime written = Files.getLastModifiedTime(file);
    for (String jar : jars) {
      if (Files.getLastModifiedTime(Path.of(jar)).compareTo(written) > 0) {
        return false;
      }
    }
    return true;
  }

  private void deleteOldest(String mainClass) throws IOException {
    for (Path file : archives(mainClass).stream().skip(MOST).toList()) {
      Files.deleteIfExists(file);
      Files.deleteIfExists(withSuffix(file, JARS));
    }
  }

  /** Deletes what killed processes have left. */
  private void deleteAbandoned() throws IOException {
    FileTime bound = FileTime.from(Instant.now().minus(ABANDONED));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        boolean isTemporary = name(file).endsWith(CLASSES) || name(file).endsWith(UNFINISHED);
        if (isTemporary && modified(file).compareTo(bound) < 0) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** Entries of a class path; a folder with {@code *} stands for its jars, sorted. */
  static List<String> entries(String classPath) {
    var all = new ArrayList<String>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (entry.endsWith(File.separator + "*")) {
        all.addAll(jarsIn(Path.of(entry.substring(0, entry.length() - 2))));
      } else {
        all.add(entry);
      }
    }
    return all;
  }

  private static List<String> jarsIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      return List.of(); // as java does
    }
  }

  private static Path withSuffix(Path archive, String suffix) {
    String name = name(archive);
    return archive.resolveSibling(name.substring(0, name.length() - ARCHIVE.length()) + suffix);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0); // deleted meanwhile
    }
  }
}
