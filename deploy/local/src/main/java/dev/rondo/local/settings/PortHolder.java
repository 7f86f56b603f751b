package dev.rondo.local.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the process that listens on a TCP port, from /proc on Linux. */
public final class PortHolder {
  private static final int LOCAL_ADDRESS = 1;
  private static final int SOCKET_STATE = 3;
  private static final int INODE = 9;
  private static final String LISTENING = "0A";

  private PortHolder() {}

  /** Returns the process, such as {@code pid 4711, java}; empty if it cannot be found. */
  public static Optional<String> of(int port) {
    return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
        .flatMap(table -> lines(Path.of(table)).stream())
        .flatMap(line -> inode(line, port).stream())
        .flatMap(inode -> holder("socket:[" + inode + "]").stream())
        .findFirst();
  }

  /** Returns the socket's inode if this line of /proc/net/tcp is a listener on {@code port}. */
  static Optional<String> inode(String line, int port) {
    String[] columns = line.strip().split("\\s+", -1);
    boolean isListener =
        columns.length > INODE
            && columns[LOCAL_ADDRESS].endsWith(":%04X".formatted(port))
            && columns[SOCKET_STATE].equals(LISTENING);
    return isListener ? Optional.of(columns[INODE]) : Optional.empty();
  }

  private static Optional<String> holder(String socket) {
    return ProcessHandle.allProcesses()
        .filter(process -> holds(process.pid(), socket))
        .findFirst()
        .map(process -> "pid %d, %s".formatted(process.pid(), name(process.pid())));
  }

  private static boolean holds(long pid, String socket) {
    try (var files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return files.anyMatch(file -> socket.equals(target(file)));
    } catch (IOException e) {
      return false; // another user's process, or it has ended
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static String name(long pid) {
    return String.join("", lines(Path.of("/proc", Long.toString(pid), "comm")));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
