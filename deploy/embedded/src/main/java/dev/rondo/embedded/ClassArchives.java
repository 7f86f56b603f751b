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
 * A folder of class data sharing archives, with which a JVM starts in less CPU time. An archive
 * contains the classes of the JDK and of libraries that one main class loads. It omits Rondo's own,
 * so that it remains valid after a build and for the class paths of several modules.
 *
 * <pre>
 *   MAIN-JAVA-ID.jsa    the archive
 *   MAIN-JAVA-ID.jars   its class path, one path per line: the start of every class path that uses it
 * </pre>
 *
 * <p>A JVM ignores an archive that is damaged or does not fit. A failure here never fails the
 * process: it starts without an archive.
 */
final class ClassArchives {
  /** Environment variable with the folder; if it is empty or absent, there are no archives. */
  static final String VARIABLE = "RONDO_CLASS_ARCHIVES";

  private static final String ARCHIVE = ".jsa";
  private static final String JARS = ".jars";
  private static final String CLASSES = ".classes";
  private static final String UNFINISHED = ".unfinished";

  /** Names of classes for an archive that is being written. */
  private static final String UNFINISHED_CLASSES = CLASSES + UNFINISHED;

  /** $1: the names, $2: the unfinished archive, $3: the archive, $4: its jars, then the command. */
  private static final String DUMP =
      """
      names=$1 unfinished=$2 archive=$3 jars=$4
      shift 4
      nice -n 10 "$@" && mv -f "$unfinished" "$archive" || rm -f "$jars"
      rm -f "$names" "$unfinished"
      """;

  /** Fewest loaded classes of a jar to include it in an archive. */
  private static final int MIN_CLASSES = 5;

  /** Most archives of one main class: modules may have different versions of a library. */
  private static final int MAX_ARCHIVES = 4;

  /** Age of files that killed processes have left; writing takes less. */
  private static final Duration ABANDONED = Duration.ofMinutes(15);

  private final Path folder;

  ClassArchives(Path folder) {
    this.folder = folder;
  }

  static Optional<ClassArchives> ofEnvironment() {
    String folder = System.getenv().getOrDefault(VARIABLE, "");
    return folder.isBlank()
        ? Optional.empty()
        : Optional.of(new ClassArchives(Path.of(folder).toAbsolutePath()));
  }

  /** An archive and the jars with which a class path must begin, in order. */
  record Archive(Path file, List<String> jars) {
    List<String> options() {
      return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:class+path=off");
    }

    /** Returns the class path with the archive's jars first. */
    String reorder(String classPath) {
      var entries = new LinkedHashSet<>(jars);
      entries.addAll(entries(classPath));
      return String.join(File.pathSeparator, entries);
    }
  }

  /** Returns the latest archive that fits a main class and a class path. */
  Optional<Archive> find(String mainClass, String classPath) {
    Set<String> entries = new LinkedHashSet<>(entries(classPath));
    for (Path file : archives(mainClass)) {
      try {
        List<String> jars = Files.readAllLines(withSuffix(file, JARS));
        if (entries.containsAll(jars) && isNewerThan(file, jars)) {
          return Optional.of(new Archive(file, jars));
        }
      } catch (IOException e) {
        // being replaced: the next one may fit
      }
    }
    return Optional.empty();
  }

  /**
   * Creates a file for the names of loaded classes ({@code -XX:DumpLoadedClassList}).
   *
   * @throws IOException if the folder cannot be written
   */
  Path newClassList(String mainClass) throws IOException {
    Files.createDirectories(folder);
    return Files.createFile(folder.resolve(mainClass + "-" + UUID.randomUUID() + CLASSES));
  }

  /**
   * Starts to write an archive, unless another process does so or has done so. The work takes
   * seconds of CPU time at low priority, and continues after the end of this JVM: otherwise, runs
   * of a single test would never complete it.
   *
   * @param classes file with the names of the loaded classes
   * @return the writing process, if any
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
      Files.createFile(list); // only one process succeeds
    } catch (FileAlreadyExistsException e) {
      return Optional.empty();
    }
    Files.write(list, names);
    Path archive = folder.resolve(prefix(mainClass) + UUID.randomUUID() + ARCHIVE);
    Files.write(withSuffix(archive, JARS), jars);
    deleteOldest(mainClass);
    return Optional.of(dump(jars, list, archive));
  }

  /** Removes Rondo's classes, and those of other class loaders, such as Connect's. */
  private static List<String> librariesOnly(List<String> names) {
    return names.stream()
        .filter(line -> !line.contains("dev/rondo/") && !line.contains("source:"))
        .toList();
  }

  /**
   * Returns the jars of many of the classes, in class path order. Others would gain little, and
   * modules have different versions of small libraries.
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
          if (before - left.size() >= MIN_CLASSES) {
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

  /** Runs a shell that renames a complete archive, even after the end of this JVM. */
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

  /** Returns the archives for this JVM's version, the latest first. */
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
    for (Path file : archives(mainClass).stream().skip(MAX_ARCHIVES).toList()) {
      Files.deleteIfExists(file);
      Files.deleteIfExists(withSuffix(file, JARS));
    }
  }

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

  /** Returns the entries of a class path; expands a folder with {@code *} to its jars, sorted. */
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
