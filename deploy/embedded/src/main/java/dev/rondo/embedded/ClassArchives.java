package dev.rondo.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
import java.util.concurrent.TimeUnit;
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

  /** Archives of one main class: modules may have different versions of a library. */
  private static final int MOST = 4;

  private static final Duration DUMP_BOUND = Duration.ofMinutes(5);
  private static final Duration ABANDONED = Duration.ofHours(1);

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
        continue; // being replaced
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
   * Writes an archive, unless another process writes one or has written one meanwhile. Takes
   * seconds of CPU time, at the lowest priority.
   *
   * @param classes file with the names of the loaded classes
   */
  void write(String mainClass, String classPath, Path classes)
      throws IOException, InterruptedException {
    deleteAbandoned();
    Path lockFile = folder.resolve(mainClass + ".lock");
    try (var channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null && find(mainClass, classPath).isEmpty()) {
        writeAlone(mainClass, classPath, classes);
      }
    } catch (OverlappingFileLockException e) {
      return; // another thread of this JVM writes it
    }
  }

  private void writeAlone(String mainClass, String classPath, Path classes)
      throws IOException, InterruptedException {
    List<String> names = librariesOnly(Files.readAllLines(classes));
    List<String> jars = jarsWith(names, classPath);
    String name = "%s%s".formatted(prefix(mainClass), UUID.randomUUID());
    Path unfinished = folder.resolve(name + UNFINISHED);
    Path list = folder.resolve(name + CLASSES);
    try {
      Files.write(list, names);
      if (dump(jars, list, unfinished)) {
        Files.write(folder.resolve(name + JARS), jars);
        Files.move(unfinished, folder.resolve(name + ARCHIVE), StandardCopyOption.ATOMIC_MOVE);
        deleteOldest(mainClass);
      }
    } finally {
      Files.deleteIfExists(list);
      Files.deleteIfExists(unfinished);
    }
  }

  /** Without Rondo's classes, and without those of other class loaders, such as Connect's. */
  private static List<String> librariesOnly(List<String> names) {
    return names.stream()
        .filter(line -> !line.contains("dev/rondo/") && !line.contains("source:"))
        .toList();
  }

  /** The jars that classes are loaded from, in their order in the class path. */
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
          if (left.removeIf(each -> jar.getEntry(each) != null)) {
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

  private boolean dump(List<String> jars, Path classes, Path archive)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    if (Commands.exists("nice")) {
      command.addAll(List.of("nice", "-n", "19"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:dump",
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:SharedClassListFile=" + classes,
            "-XX:SharedArchiveFile=" + archive,
            "-cp",
            String.join(File.pathSeparator, jars)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    AutoCloseable end = () -> process.destroyForcibly().waitFor();
    try {
      return OpenAtExit.add(end)
          && process.waitFor(DUMP_BOUND.toSeconds(), TimeUnit.SECONDS)
          && process.exitValue() == 0
          && Files.exists(archive);
    } finally {
      OpenAtExit.remove(end);
      process.destroyForcibly();
    }
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
