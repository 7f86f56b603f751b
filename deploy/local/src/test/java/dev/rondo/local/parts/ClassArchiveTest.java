package dev.rondo.local.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a real JVM, used by another one. */
class ClassArchiveTest {
  /** A program that runs until its standard input ends. */
  static final class Waiter {
    private Waiter() {}

    /** Says that it runs, and waits. */
    public static void main(String[] arguments) throws IOException {
      System.out.println("runs");
      System.in.read();
    }
  }

  @TempDir private Path dir;
  private Path jar;

  @BeforeEach
  void pack() throws IOException {
    jar = dir.resolve("waiter.jar"); // classes of folders are not archived
    String entry = Waiter.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var in = Waiter.class.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new ZipEntry(entry));
      in.transferTo(out);
    }
  }

  private Process run(List<String> options) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", jar.toString(), Waiter.class.getName()));
    return new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
  }

  @Test
  void shouldLetAnotherJvmMapTheClasses() throws Exception {
    var archive = new ClassArchive(dir.resolve("cache/waiter.jsa"), FileTime.fromMillis(0));
    assertThat(archive.options()).isEmpty();

    Process first = run(List.of());
    try {
      assertThat(first.inputReader().readLine()).isEqualTo("runs");
      archive.write(first.pid(), dir);
    } finally {
      first.destroy();
    }

    assertThat(archive.isCurrent()).isTrue();
    assertThat(dir).isDirectoryNotContaining("glob:**/java_pid*");
    var options = new ArrayList<>(archive.options());
    options.add("-Xlog:class+load");
    Process second = run(options);
    second.getOutputStream().close();
    String loaded = new String(second.getInputStream().readAllBytes(), UTF_8);
    assertThat(loaded.lines())
        .anyMatch(
            line -> line.contains(Waiter.class.getName()) && line.contains("shared objects file"));
  }

  @Test
  void shouldNotUseAnArchiveThatIsOlderThanTheClassPath() throws IOException {
    Path file = Files.createFile(dir.resolve("old.jsa"));
    FileTime written = Files.getLastModifiedTime(file);

    var archive = new ClassArchive(file, FileTime.fromMillis(written.toMillis() + 1000));

    assertThat(archive.isCurrent()).isFalse();
    assertThat(archive.options()).isEmpty();
  }
}
