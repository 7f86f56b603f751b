package dev.rondo.images;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes the images of a release as OCI archives. Equal folders give equal bytes: entries are
 * sorted, and all times are the release's.
 *
 * @param version of the release
 * @param architecture of the image's platform, {@code amd64}
 * @param created time of all files
 * @param folders one folder per layer
 * @param cache of layers between builds
 */
public record Images(
    String version, String architecture, Instant created, Path folders, Path cache) {
  /** A user without files, as containers need no user of the machine. */
  private static final String USER = "10001:10001";

  private static final FilePermissions EXECUTABLE = FilePermissions.fromOctalString("755");

  /** An in-memory file system mounted there gets its permissions. */
  private static final AbsoluteUnixPath TMP = AbsoluteUnixPath.get("/tmp");

  private static final FilePermissions WRITABLE = FilePermissions.fromOctalString("777");
  private static final FilePermissions PLAIN = FilePermissions.fromOctalString("644");

  /** VERSION ARCHITECTURE EPOCH_SECONDS FOLDER_OF_LAYERS CACHE OUTPUT_FOLDER. */
  public static void main(String[] arguments) throws Exception {
    var images =
        new Images(
            arguments[0],
            arguments[1],
            Instant.ofEpochSecond(Long.parseLong(arguments[2])),
            Path.of(arguments[3]),
            Path.of(arguments[4]));
    for (Part part : Part.all()) {
      images.write(part, Path.of(arguments[5]));
    }
  }

  /** Writes {@code rondo-PART-VERSION-ARCHITECTURE.oci.tar}. */
  void write(Part part, Path output) throws Exception {
    JibContainerBuilder builder =
        Jib.fromScratch()
            .setPlatforms(Set.of(new Platform(architecture, "linux")))
            .setFormat(ImageFormat.OCI)
            .setCreationTime(created)
            .setUser(USER)
            .setEntrypoint(part.entrypoint())
            .setProgramArguments(part.arguments())
            // The order of Map.of differs between JVMs, and Jib keeps some of it.
            .setEnvironment(new TreeMap<>(part.environment()))
            .setExposedPorts(part.ports().stream().map(Port::tcp).collect(Collectors.toSet()))
            .addLabel("org.opencontainers.image.title", "Rondo " + part.title())
            .addLabel("org.opencontainers.image.version", version)
            .addLabel("org.opencontainers.image.licenses", "Apache-2.0")
            .addLabel("org.opencontainers.image.created", created.toString());
    for (String layer : part.layers()) {
      builder.addFileEntriesLayer(layer(layer));
    }
    var file =
        output.resolve("rondo-%s-%s-%s.oci.tar".formatted(part.name(), version, architecture));
    builder.containerize(
        Containerizer.to(TarImage.at(file).named("rondo-%s:%s".formatted(part.name(), version)))
            .setApplicationLayersCache(cache)
            .setBaseImageLayersCache(cache)
            .setToolName("rondo")
            .setToolVersion(version)
            .setOfflineMode(true));
  }

  private FileEntriesLayer layer(String name) throws IOException {
    Path folder = folders.resolve(name);
    var layer = FileEntriesLayer.builder().setName(name);
    try (var files = Files.walk(folder)) {
      List<Path> sorted = files.filter(each -> !each.equals(folder)).sorted().toList();
      for (Path file : sorted) {
        var path = AbsoluteUnixPath.get("/" + folder.relativize(file));
        layer.addEntry(file, path, permissions(file, path), created);
      }
    }
    return layer.build();
  }

  private static FilePermissions permissions(Path file, AbsoluteUnixPath path) {
    if (path.equals(TMP)) {
      return WRITABLE;
    }
    return Files.isDirectory(file) || Files.isExecutable(file) ? EXECUTABLE : PLAIN;
  }
}
