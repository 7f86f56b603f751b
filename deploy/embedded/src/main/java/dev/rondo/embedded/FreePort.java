package dev.rondo.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses TCP ports of 127.0.0.1: at random below the kernel's ephemeral range, so that no outgoing
 * connection uses them, and reserved against concurrent starts. To reserve a port, a JVM locks a
 * byte in a file that all JVMs of a user share.
 */
public final class FreePort {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 31_999;
  private static final int ATTEMPTS = 200;
  private static final int CONNECT_MS = 1_000;

  /** Already chosen by this JVM, for processes that may not listen yet. */
  private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

  private static final FileChannel RESERVATIONS = reservations();

  private FreePort() {}

  /**
   * Returns {@code port}, or a free port if it is 0.
   *
   * @throws IllegalStateException if {@code port} is taken
   */
  static int orChosen(String part, int port) {
    if (port == 0) {
      return choose();
    }
    if (!isFree(port)) {
      throw new IllegalStateException(
          "port %d of 127.0.0.1 is taken: %s cannot listen on it".formatted(port, part));
    }
    return port;
  }

  /** Chooses a port on which no process listens and that was not chosen before. */
  public static int choose() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      if (isFree(port) && CHOSEN.add(port) && reserve(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port of 127.0.0.1 in %d..%d".formatted(LOWEST, HIGHEST));
  }

  /** Reserves a port until this JVM ends; returns false if another JVM has reserved it. */
  static boolean reserve(int port) {
    try {
      return RESERVATIONS == null || RESERVATIONS.tryLock(port, 1, false) != null;
    } catch (IOException e) {
      return true; // such as a file system without locks
    }
  }

  /** Stays open, because closing it would release all locks. Null if it cannot be opened. */
  private static FileChannel reservations() {
    String name = "rondo-ports-" + System.getProperty("user.name");
    try {
      return FileChannel.open(
          Path.of(System.getProperty("java.io.tmpdir"), name),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Whether a process accepts connections at {@code port}. Unlike {@link #isFree}, does not bind
   * it, which could make a concurrent start fail.
   */
  static boolean isListening(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
      return socket.getLocalPort() != port; // otherwise the kernel connected the socket to itself
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a server could listen on {@code port} now. Binds it for a moment. */
  public static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
