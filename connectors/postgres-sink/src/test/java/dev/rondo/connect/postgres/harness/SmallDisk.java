package dev.rondo.connect.postgres.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of a few MB beside PostgreSQL's data, with their owner. */
public final class SmallDisk implements AutoCloseable {
  private static final int MIB = 16;

  private final Path mount;

  private SmallDisk(Path mount) {
    this.mount = mount;
  }

  /** Mounts the disk; skips the test where this process may not mount. */
  public static SmallDisk mount(Path data) throws IOException {
    Path mount = Files.createDirectory(data.resolveSibling("small-disk"));
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=%dm".formatted(MIB), "rondo", mount.toString());
    if (!mounted) {
      Files.delete(mount);
    }
    assumeTrue(mounted, "a full disk is tested only where a tmpfs can be mounted: by root");
    var disk = new SmallDisk(mount);
    Files.setOwner(Files.createDirectory(disk.folder()), Files.getOwner(data));
    return disk;
  }

  /** Folder for a tablespace. */
  public Path folder() {
    return mount.resolve("space");
  }

  /** File that fills the disk. */
  public Path filler() {
    return mount.resolve("filler");
  }

  public void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(filler())) {
      var bytes = new byte[4096];
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      if (mount.toFile().getUsableSpace() > 0) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(filler());
    run("umount", "-l", mount.toString());
    Files.deleteIfExists(mount);
  }

  private static boolean run(String... command) throws IOException {
    try {
      return new ProcessBuilder(List.of(command)).inheritIO().start().waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
