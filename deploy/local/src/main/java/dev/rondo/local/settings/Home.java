package dev.rondo.local.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The data folder of one Rondo ({@code --dir}) and the files in it. */
public record Home(Path dir) {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  public Home {
    dir = dir.toAbsolutePath().normalize();
  }

  /** Creates the folder, with that of the logs. */
  public void create() {
    createFolder();
    try {
      Files.createDirectories(logs());
    } catch (IOException e) {
      throw notWritable(e);
    }
  }

  /** Creates the folder if it is missing; only this user may enter it. */
  public void createFolder() {
    try {
      Files.createDirectories(dir.toAbsolutePath().getParent());
      if (!Files.exists(dir)) {
        Files.createDirectory(dir, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      } else if (Files.exists(stateFile()) || Files.exists(dir.resolve("data/PG_VERSION"))) {
        Files.setPosixFilePermissions(dir, OWNER_ONLY);
      }
    } catch (IOException e) {
      throw notWritable(e);
    }
  }

  private UserError notWritable(IOException e) {
    return new UserError("cannot write to %s (--dir): %s".formatted(dir, e.getMessage()));
  }

  public Path stateFile() {
    return dir.resolve("rondo.json");
  }

  Path lockFile() {
    return dir.resolve("rondo.lock");
  }

  public StopMarks stopMarks() {
    return new StopMarks(dir.resolve("stopped"));
  }

  public Path of(String part) {
    return dir.resolve(part);
  }

  public Path logs() {
    return dir.resolve("logs");
  }

  public Path log(String part) {
    return logs().resolve(part + ".log");
  }

  public Path prometheus() {
    return dir.resolve("prometheus");
  }

  /** Default of {@code --sources}. */
  public Path sources() {
    return dir.resolve("sources.yaml");
  }

  /** Default of {@code --policies}. */
  public Path policies() {
    return dir.resolve("policies.yaml");
  }

  /** Default of {@code --topology}. */
  public Path topologySettings() {
    return dir.resolve("topology.properties");
  }
}
