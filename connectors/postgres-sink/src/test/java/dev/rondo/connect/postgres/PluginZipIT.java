package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The zip that a worker loads: its contents, and that the other tests run with the same files. */
class PluginZipIT {
  private static final Path UNPACKED = Path.of("target", "plugin");
  private static final Pattern JAR = Pattern.compile("(?:.*/)?([a-z0-9-]+?)-[0-9][^/]*\\.jar");

  @Test
  void shouldHoldWhatIsOnThePluginPathOfTheTests() throws IOException {
    var zip = entries();
    assertThat(zip).isNotEmpty();
    try (Stream<Path> files = Files.walk(UNPACKED)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(zip.remove(UNPACKED.relativize(file).toString()))
            .isEqualTo(Files.readAllBytes(file));
      }
    }
    assertThat(zip).isEmpty();
  }

  /**
   * The zip has one folder with the version in its name, and no jar that every worker has or none
   * needs.
   */
  @Test
  void shouldHoldFewJarsAndTheirLicences() throws IOException {
    var zip = entries();
    assertThat(zip.keySet()).allMatch(name -> name.matches("rondo-postgres-sink-[0-9][^/]*/[^/]+"));
    assertThat(zip.keySet().stream().map(JAR::matcher).filter(Matcher::matches))
        .extracting(jar -> jar.group(1))
        .containsExactlyInAnyOrder(
            "rondo-postgres-sink",
            "rondo-schemas",
            "rondo-connection",
            "rondo-rows",
            "avro",
            "jackson-annotations",
            "jackson-core",
            "jackson-databind",
            "postgresql");

    String notice = text(zip, "NOTICE");
    assertThat(zip.keySet().stream().map(JAR::matcher).filter(Matcher::matches))
        .extracting(jar -> jar.group(1))
        .filteredOn(jar -> !jar.startsWith("rondo-"))
        .allSatisfy(
            jar -> assertThat(notice).containsPattern("\n +" + jar + " +\\S.* +(Apache|BSD)"));
    assertThat(text(zip, "LICENSE")).contains("Apache License");
    assertThat(text(zip, "README.md")).contains("# PostgreSQL sink");
  }

  /** No time and no owner of the build: the same sources give the same bytes. */
  @Test
  void shouldRevealNothingOfItsBuild() throws IOException {
    try (var zip = new ZipFile(file().toFile())) {
      assertThat(zip.stream().map(ZipEntry::getTimeLocal).distinct()).hasSize(1);
    }
  }

  private static String text(Map<String, byte[]> zip, String name) {
    return zip.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("/" + name))
        .map(entry -> new String(entry.getValue(), StandardCharsets.UTF_8))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in the zip"));
  }

  private static Map<String, byte[]> entries() throws IOException {
    var entries = new TreeMap<String, byte[]>();
    try (var zip = new ZipFile(file().toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }

  private static Path file() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      var zips = files.filter(file -> file.toString().endsWith(".zip")).toList();
      assertThat(zips).hasSize(1);
      return zips.get(0);
    }
  }
}
