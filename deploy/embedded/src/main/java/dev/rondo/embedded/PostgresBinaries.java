package dev.rondo.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * Unpacks PostgreSQL's programs ({@code bin/postgres}, {@code bin/initdb}, {@code bin/pg_ctl}) once
 * per archive version into a cache shared by all data folders.
 */
final class PostgresBinaries {
  /** Overrides the cache folder. */
  static final String CACHE_VARIABLE = "RONDO_CACHE";

  private PostgresBinaries() {}

  /**
   * Returns the folder that contains {@code bin}; unpacks it on first use. Concurrent calls are
   * safe.
   */
  static Path unpacked() {
    byte[] archive = archive();
    Path home = cache().resolve("postgres-" + digest(archive));
    if (Files.isDirectory(home)) {
      return home;
    }
    try {
      Files.createDirectories(home.getParent());
      Path unfinished = Files.createTempDirectory(home.getParent(), "unpacking-");
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
      unpack(archive, unfinished);
      moveUnlessPresent(unfinished, home);
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "could not unpack PostgreSQL into %s (the folder can be set by %s)"
              .formatted(home, CACHE_VARIABLE),
          e);
    }
  }

  private static Path cache() {
    String chosen = System.getenv(CACHE_VARIABLE);
    if (chosen != null) {
      return Path.of(chosen).toAbsolutePath();
    }
    if (RunAs.isRoot()) {
      return Path.of("/var/cache/rondo"); // unlike /root, other users can enter it
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    return xdg != null
        ? Path.of(xdg, "rondo")
        : Path.of(System.getProperty("user.home"), ".cache/rondo");
  }

  private static byte[] archive() {
    String name = "postgres-%s-%s.txz".formatted(system(), architecture());
    try (var stream = PostgresBinaries.class.getResourceAsStream("/" + name)) {
      if (stream == null) {
        throw new IllegalStateException(
            "no %s on the class path: PostgreSQL is available for Linux and macOS on x86_64 and arm64"
                .formatted(name));
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String system() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String architecture() {
    String name = System.getProperty("os.arch");
    return name.equals("aarch64") ? "arm_64" : "x86_64";
  }

  private static String digest(byte[] archive) {
    try {
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(archive);
      return HexFormat.of().formatHex(sha256, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void unpack(byte[] archive, Path folder) throws IOException {
    try (var tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = folder.resolve(entry.getName()).normalize();
        if (!path.startsWith(folder)) {
          throw new IOException("entry outside of the archive: " + entry.getName());
        }
        Files.createDirectories(path.getParent());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, path);
          boolean program = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static void moveUnlessPresent(Path unfinished, Path home) throws IOException {
    try {
      Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) { // another process may have been first
      FileTree.delete(unfinished);
      if (!Files.isDirectory(home)) {
        throw e;
      }
    }
  }
}
