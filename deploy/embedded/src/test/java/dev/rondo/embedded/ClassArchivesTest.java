package dev.rondo.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;

/** Class archives of real JVMs. */
class ClassArchivesTest {
  private static final String LIBRARY_CLASS = LZMA2Options.class.getName();

  /** A program that uses a library, and runs until its standard input ends. */
  static final class Waiter {
    private Waiter() {}

    /** Prints a line when it runs, and waits. */
    public static void main(String[] arguments) throws Exception {
      System.out.println("runs with " + new LZMA2Options().getDictSize());
      System.in.read();
    }
  }

  private static final String MAIN = Waiter.class.getName();

  @TempDir private Path dir;
  private Path library;
  private String classPath;
  private ClassArchives archives;

  @BeforeEach
  void prepare() throws Exception {
    Path source =
        Path.of(LZMA2Options.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    library = Files.copy(source, dir.resolve("xz.jar"));
    Path own = Path.of(Waiter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    classPath = own + File.pathSeparator + library; // a folder first, as in tests
    archives = new ClassArchives(dir.resolve("archives"));
  }

  private List<String> command(String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Optional<ClassArchives.Archive> found = archives.find(MAIN, classPath);
    found.ifPresent(archive -> command.addAll(archive.options()));
    command.addAll(List.of(options));
    String ordered = found.map(archive -> archive.reorder(classPath)).orElse(classPath);
    command.addAll(List.of("-cp", ordered, MAIN));
    return command;
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private void writeArchive() throws Exception {
    Path classes = archives.newClassList(MAIN);
    Process recorded = start(command("-XX:DumpLoadedClassList=" + classes));
    try {
      assertThat(recorded.inputReader().readLine()).startsWith("runs");
      Process writing = archives.write(MAIN, classPath, classes).orElseThrow(); // while it runs
      assertThat(archives.write(MAIN, classPath, classes)).as("a second one at once").isEmpty();
      assertThat(writing.waitFor()).isZero();
    } finally {
      recorded.destroyForcibly().waitFor();
    }
  }

  private List<String> outputOf(List<String> command) throws Exception {
    Process process = start(command);
    process.getOutputStream().close();
    var lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  private static boolean isShared(List<String> loaded, String name) {
    return loaded.stream()
        .anyMatch(line -> line.contains(name + " ") && line.contains("shared objects file"));
  }

  @Test
  void shouldLetTheNextJvmMapTheClassesOfLibraries() throws Exception {
    assertThat(archives.find(MAIN, classPath)).isEmpty();

    writeArchive();

    List<String> loaded = outputOf(command("-Xlog:class+load"));
    assertThat(isShared(loaded, LIBRARY_CLASS)).isTrue();
    assertThat(isShared(loaded, MAIN)).isFalse();
    assertThat(loaded).anyMatch(line -> line.startsWith("runs"));
  }

  @Test
  void shouldFitOtherClassPathsWithTheSameLibraries() throws Exception {
    writeArchive();

    classPath = dir + File.pathSeparator + classPath;

    assertThat(isShared(outputOf(command("-Xlog:class+load")), LIBRARY_CLASS)).isTrue();
  }

  @Test
  void shouldNotUseAnArchiveOfAnotherLibraryOrOfAnotherClassPath() throws Exception {
    writeArchive();

    assertThat(archives.find(MAIN, dir.toString())).isEmpty();
    assertThat(archives.find("another.Main", classPath)).isEmpty();
    FileTime later = FileTime.fromMillis(System.currentTimeMillis() + 60_000);
    Files.setLastModifiedTime(library, later);
    assertThat(archives.find(MAIN, classPath)).isEmpty();
  }

  @Test
  void shouldStartSilentlyWithABrokenArchive() throws Exception {
    writeArchive();
    Path file = archives.find(MAIN, classPath).orElseThrow().file();
    Files.delete(file);
    Files.writeString(file, "of a full disk");

    List<String> output = outputOf(command());

    assertThat(output).hasSize(1).first().asString().startsWith("runs");
  }

  @Test
  void shouldLeaveNoIncompleteArchive() throws Exception {
    Path classes = archives.newClassList(MAIN);
    Files.write(classes, List.of(LIBRARY_CLASS.replace('.', '/')));
    Files.writeString(library.resolveSibling("broken.jar"), "not a jar");

    assertThatThrownBy(() -> archives.write(MAIN, dir.resolve("broken.jar").toString(), classes))
        .isInstanceOf(IOException.class);

    assertThat(dir.resolve("archives")).isDirectoryNotContaining("glob:**.{jsa,jars,unfinished}");
  }

  @Test
  void shouldStartWithAFolderThatIsNotWritable() throws Exception {
    Files.writeString(dir.resolve("file"), "");
    var nowhere = new ClassArchives(dir.resolve("file/archives"));

    assertThat(ClassRecording.of(Optional.of(nowhere), command())).isEmpty();
    assertThat(nowhere.find(MAIN, classPath)).isEmpty();
  }

  @Test
  void shouldLeaveOnlyTheArchive() throws Exception {
    Files.createDirectories(dir.resolve("archives"));
    Path abandoned = archives.newClassList(MAIN);
    Files.setLastModifiedTime(abandoned, FileTime.fromMillis(0));

    writeArchive();

    try (Stream<Path> files = Files.list(dir.resolve("archives"))) {
      assertThat(files.map(file -> file.toString().replaceAll(".*\\.", "")))
          .containsExactlyInAnyOrder("jsa", "jars", "classes"); // files of the killed JVM
    }
    assertThat(abandoned).doesNotExist();
  }
}
