package dev.rondo.formats.catalog;

import com.github.luben.zstd.Zstd;
import java.util.Optional;
import org.xerial.snappy.Snappy;

/**
 * The native code of snappy and zstd, which their libraries unpack into {@code java.io.tmpdir}.
 * Remote write needs it, so does the detection of a format, and so do compressed records of Kafka:
 * without it the first such record would end the process.
 */
public final class NativeCode {
  private NativeCode() {}

  /** Why it cannot be loaded, such as from a folder that is mounted noexec. */
  public static Optional<String> fault() {
    try {
      Snappy.getNativeLibraryVersion();
      Snappy.maxCompressedLength(0);
      Zstd.compressBound(0);
      return Optional.empty();
    } catch (LinkageError e) {
      return Optional.of(
          "native code of snappy and zstd cannot run from '%s': mount it exec, or set JDK_JAVA_OPTIONS=-Djava.io.tmpdir=FOLDER: %s"
              .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()));
    }
  }
}
