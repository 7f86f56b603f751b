package dev.rondo.connect.postgres.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A network between the sink and PostgreSQL that can fail in three ways, and can hold bytes back.
 */
public final class TcpProxy implements AutoCloseable {

  /** What the network does with bytes and with connections. */
  public enum Mode {
    OPEN,
    /** Connections end at once with a reset, new ones too. */
    RESET,
    /** Bytes of both sides are dropped and neither notices; new connections get no answer. */
    SILENT,
    /** The client's bytes arrive, the answers do not; neither notices that the other closes. */
    DEAF
  }

  private final ServerSocket listening;
  private final int target;
  private final Queue<Link> links = new ConcurrentLinkedQueue<>();
  private volatile Mode mode = Mode.OPEN;

  /**
   * Listens on a free port.
   *
   * @param target port on 127.0.0.1
   */
  public TcpProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("proxy", this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** A connection that has seen any mode but OPEN never works again. */
  public void become(Mode next) {
    mode = next;
    if (next == Mode.RESET) {
      links.forEach(Link::reset);
    }
  }

  /** Keeps back what the clients of today's connections send, until {@link #release}. */
  public void hold() {
    links.forEach(link -> link.held = true);
  }

  /** Whether a client waits for the answer to something that is kept back. */
  public boolean holdsBytes() {
    return links.stream().anyMatch(link -> link.holdsBytes);
  }

  public void release() {
    for (Link link : links) {
      synchronized (link) {
        link.held = false;
        link.notifyAll();
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      links.forEach(Link::reset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        var link = new Link(listening.accept());
        links.add(link);
        if (mode == Mode.RESET) {
          link.reset();
        } else {
          link.start();
        }
      } catch (IOException e) {
        // closed, or PostgreSQL is down: then the client's socket is closed too
      }
    }
  }

  private static void start(String name, Runnable work) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** A connection of each side. */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean dead;
    private volatile boolean deaf;
    private volatile boolean held;
    private volatile boolean holdsBytes;

    Link(Socket client) throws IOException {
      this.client = client;
      Socket connected = null;
      try {
        connected = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true); // otherwise each statement waits 40 ms for an acknowledgement
        connected.setTcpNoDelay(true);
      } catch (IOException e) {
        reset(client);
        throw e;
      } finally {
        this.server = connected;
      }
    }

    void start() {
      TcpProxy.start("proxy-up", () -> pump(client, server, true));
      TcpProxy.start("proxy-down", () -> pump(server, client, false));
    }

    void reset() {
      reset(client);
      reset(server);
    }

    private void pump(Socket from, Socket to, boolean up) {
      var buffer = new byte[8192];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          dead |= mode == Mode.SILENT;
          deaf |= mode == Mode.DEAF;
          if (up) {
            awaitRelease();
          }
          if (!dead && (up || !deaf)) {
            out.write(buffer, 0, length);
          }
        }
        if (passesOnEnds()) {
          to.close();
        }
      } catch (IOException e) {
        if (passesOnEnds()) {
          reset();
        }
      }
    }

    private synchronized void awaitRelease() throws IOException {
      try {
        holdsBytes = held;
        while (held) {
          wait();
        }
        holdsBytes = false;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    /** Otherwise the other side does not notice, and keeps its connection open. */
    private boolean passesOnEnds() {
      return !dead && !deaf && mode != Mode.SILENT && mode != Mode.DEAF;
    }

    private static void reset(Socket socket) {
      try {
        socket.setSoLinger(true, 0); // its end is a reset
        socket.close();
      } catch (IOException e) {
        // is closed already
      }
    }
  }
}
