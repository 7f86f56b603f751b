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
 * TCP ports of 127.0.0.1. Chosen at random below the kernel's ephemeral range, so that no outgoing
 * connection gets the same one, and reserved, so that no other start at the same moment does: a JVM
 * locks a byte for each port that it has chosen, in a file that all JVMs of a user share.
 */
public final class FreePort {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 31_999;
  private static final int ATTEMPTS = 200;
  private static final int CONNECT_MS = 1_000;

  /** Chosen before by this JVM; the process that is to listen on one may not have started yet. */
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

  /** Chooses a port that no process listens on and that was not chosen before. */
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

  /** Stays open: to close it would unlock all. Null if it cannot be opened. */
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
   * Whether a process accepts connections at {@code port}. It never binds the port, as {@link
   * #isFree} does: a process that starts meanwhile would find it taken.
   */
  static boolean isListening(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
      return socket.getLocalPort() != port; // else the kernel connected the socket to itself
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
