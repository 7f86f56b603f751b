package dev.rondo.chaos.part;

import dev.rondo.embedded.Commands;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a release.
 *
 * @param archive with topology, tools and query API
 * @param plugin zip of the sink
 */
public record Release(Path archive, Path plugin) {
  private static final String SINK = "connectors/postgres-sink/";

  /**
   * Finds them in a folder.
   *
   * @throws IOException if there is not exactly one of each
   */
  public static Release in(Path dist) throws IOException {
    return new Release(
        only(dist, "rondo-[0-9]*.tar.gz"), only(dist, "rondo-postgres-sink-[0-9]*.zip"));
  }

  private static Path only(Path dist, String glob) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(dist)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(dist, glob)) {
        found.forEach(files::add);
      }
    }
    if (files.size() != 1) {
      throw new IOException(
          "%s has %d files %s, not one; ./rondo dist makes them"
              .formatted(dist, files.size(), glob));
    }
    return files.get(0);
  }

  /**
   * Unpacks the release and installs its query API.
   *
   * @param clone for what a release has not: the broker, PostgreSQL and the commands
   * @param folder for the unpacked files; does not exist yet
   * @return a folder that looks like a built clone
   */
  public Path install(Path clone, Path folder) throws IOException {
    Path release = Files.createDirectories(folder.resolve("release"));
    Commands.run(
        List.of(
            "tar", "-xzf", archive.toString(), "-C", release.toString(), "--strip-components=1"));
    Commands.run(List.of(release.resolve("bin/rondo").toString(), "api", "--install"));

    var installation = LinkedInstallation.of(clone, folder.resolve("installation"));
    installation.empty();
    Path root = installation.root();
    link(root.resolve("topology/streams/target/lib"), release.resolve("lib"));
    link(root.resolve("topology/history/target/lib"), release.resolve("lib"));
    link(root.resolve("query-api/.venv"), release.resolve("api/venv"));
    link(root.resolve("query-api/gunicorn.conf.py"), release.resolve("api/gunicorn.conf.py"));
    unzip(plugin, root.resolve(SINK + "target/plugin"));
    for (String monitoring : List.of("target/jmx-exporter", "prometheus")) {
      link(root.resolve(SINK + monitoring), clone.resolve(SINK + monitoring));
    }
    return root;
  }

  private static void link(Path link, Path target) throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
  }

  private static void unzip(Path zip, Path folder) throws IOException {
    try (FileSystem files = FileSystems.newFileSystem(zip);
        Stream<Path> entries = Files.walk(files.getPath("/"))) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        Path target = folder.resolve(entry.toString().substring(1));
        if (Files.isDirectory(entry)) {
          Files.createDirectories(target);
        } else {
          Files.copy(entry, target);
        }
      }
    }
  }
}
