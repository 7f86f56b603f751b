package dev.rondo.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes that a process has caused to be written to disk. */
public final class ProcessDisk {
  private ProcessDisk() {}

  /** Bytes written so far, except to sockets; 0 without {@code /proc}. */
  public static long written(ProcessHandle process) throws IOException {
    Path io = Path.of("/proc", Long.toString(process.pid()), "io");
    if (!Files.isReadable(io)) {
      return 0;
    }
    return Files.readAllLines(io).stream()
        .filter(line -> line.startsWith("write_bytes:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
