package dev.rondo.embedded.secured;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Steals passwords: listens on 127.0.0.1, speaks enough of PostgreSQL's protocol to ask every
 * client for its password in clear text, and records the answers.
 */
public final class ClearTextListener implements AutoCloseable {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int CLEAR_TEXT_PASSWORD = 3;
  private static final int PASSWORD_MESSAGE = 'p';
  private static final int TIMEOUT_MS = 10_000;

  private final ServerSocket server;
  private final List<String> connected = new CopyOnWriteArrayList<>();
  private final List<String> passwords = new CopyOnWriteArrayList<>();

  private ClearTextListener(ServerSocket server) {
    this.server = server;
  }

  /** Starts a listener on a free port. */
  public static ClearTextListener start() {
    try {
      var listener =
          new ClearTextListener(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      var thread = new Thread(listener::serve, "clear-text-listener");
      thread.setDaemon(true);
      thread.start();
      return listener;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Startup parameters of all clients: {@code user}, its name, {@code database}, ... */
  public List<String> connected() {
    return List.copyOf(connected);
  }

  public List<String> passwords() {
    return List.copyOf(passwords);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        client.setSoTimeout(TIMEOUT_MS);
        ask(
            new DataInputStream(client.getInputStream()),
            new DataOutputStream(client.getOutputStream()));
      } catch (IOException e) {
        // the client sends no password and hangs up, or the listener is closed
      }
    }
  }

  private void ask(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] startup = in.readNBytes(in.readInt() - Integer.BYTES);
    while (isRequest(startup)) {
      out.writeByte('N');
      out.flush();
      startup = in.readNBytes(in.readInt() - Integer.BYTES);
    }
    connected.add(new String(startup, Integer.BYTES, startup.length - Integer.BYTES, UTF_8));
    out.writeByte('R');
    out.writeInt(2 * Integer.BYTES);
    out.writeInt(CLEAR_TEXT_PASSWORD);
    out.flush();
    if (in.read() == PASSWORD_MESSAGE) {
      byte[] password = in.readNBytes(in.readInt() - Integer.BYTES);
      passwords.add(new String(password, 0, password.length - 1, UTF_8));
    }
  }

  private static boolean isRequest(byte[] startup) {
    if (startup.length != Integer.BYTES) {
      return false;
    }
    int code = ByteBuffer.wrap(startup).getInt();
    return code == SSL_REQUEST || code == GSS_REQUEST;
  }
}
