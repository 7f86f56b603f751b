package dev.rondo.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * TCP ports of 127.0.0.1. Chosen at random below the kernel's ephemeral range, so that neither an
 * outgoing connection nor another start at the same moment is likely to get the same one.
 */
public final class FreePort {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 31_999;
  private static final int ATTEMPTS = 200;

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

  /** Chooses a port that no process listens on. */
  public static int choose() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port of 127.0.0.1 in %d..%d".formatted(LOWEST, HIGHEST));
  }

  /** Whether a server could listen on {@code port} now. */
  public static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
