package dev.rondo.images;

import dev.rondo.embedded.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of a release, built by {@code ./rondo dist}. */
final class Release {
  static final String VERSION = System.getProperty("rondo.version");
  private static final Path ROOT = Path.of(System.getProperty("rondo.root"));

  private static boolean isMade;
  private static boolean hasMadeImages;

  private Release() {}

  static Path file(String name) {
    return ROOT.resolve("dist").resolve(name);
  }

  /** The image of a part, for this machine. */
  static Path image(String part) {
    String architecture = Commands.run(List.of("dpkg", "--print-architecture"));
    return file("rondo-%s-%s-%s.oci.tar".formatted(part, VERSION, architecture));
  }

  /** Whether images can be built and run here. */
  static boolean hasImages() {
    return Stream.of("podman", "runc", "dpkg-deb").allMatch(Commands::exists);
  }

  /** Packages the build, once for all tests. */
  static synchronized void make() {
    if (!isMade) {
      dist(List.of());
      isMade = true;
    }
  }

  /** Packages the build with images, which takes minutes. */
  static synchronized void makeImages() {
    if (!hasMadeImages) {
      dist(List.of("--images"));
      isMade = true;
      hasMadeImages = true;
    }
  }

  private static void dist(List<String> options) {
    var command = new ArrayList<>(List.of("env", "RONDO_NO_BUILD=1"));
    command.addAll(List.of(ROOT.resolve("rondo").toString(), "dist"));
    command.addAll(options);
    Commands.run(command);
  }

  /** The unpacked archive. */
  static Path unpack(Path dir) throws IOException {
    Files.createDirectories(dir);
    Path archive = file("rondo-%s.tar.gz".formatted(VERSION));
    Commands.run(List.of("tar", "-xzf", archive.toString(), "-C", dir.toString()));
    return dir.resolve("rondo-" + VERSION);
  }

  /** Folder with the unpacked plugin, for {@code plugin.path}. */
  static Path unpackPlugin(Path dir) throws IOException {
    Files.createDirectories(dir);
    Path zip = file("rondo-postgres-sink-%s.zip".formatted(VERSION));
    var jar = Path.of(System.getProperty("java.home"), "bin", "jar").toString();
    Commands.run(
        List.of("env", "--chdir=" + dir.toAbsolutePath(), jar, "--extract", "--file=" + zip));
    return dir;
  }

  /** The query API's Python packages of the clone. */
  static Path venv() {
    return ROOT.resolve("query-api/.venv");
  }
}
