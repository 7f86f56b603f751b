package dev.rondo.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;

/**
 * Where the servers of a whole run are, as a properties file.
 *
 * @param bootstrap of the broker
 * @param postgresPort on 127.0.0.1
 * @param dir folder with the logs of the servers
 */
record BedFile(String bootstrap, int postgresPort, Path dir) {
  /** The file that the environment names; null if it names none. */
  static BedFile ofThisRun() {
    String named = System.getenv(TestBed.FILE_VARIABLE);
    return named == null || named.isEmpty() ? null : read(Path.of(named));
  }

  static BedFile read(Path file) {
    var properties = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "could not read the file that %s names".formatted(TestBed.FILE_VARIABLE), e);
    }
    return new BedFile(
        properties.getProperty("bootstrap.servers"),
        Integer.parseInt(properties.getProperty("postgres.port")),
        Path.of(properties.getProperty("dir")));
  }

  /** Replaces the file atomically. */
  void write(Path file) throws IOException {
    var properties = new Properties();
    properties.putAll(
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "postgres.port",
            Integer.toString(postgresPort),
            "dir",
            dir.toString()));
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    try (var out = Files.newBufferedWriter(unfinished)) {
      properties.store(out, null);
    }
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
