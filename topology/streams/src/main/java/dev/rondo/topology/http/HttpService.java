package dev.rondo.topology.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * HTTP server that slow clients cannot block: it closes a connection whose request takes longer
 * than 5 s or whose response takes longer than 60 s. Only a few threads send large responses, so
 * that probes are answered meanwhile.
 */
public final class HttpService implements AutoCloseable {
  private static final String REQUEST_BOUND_S = "5";
  private static final String RESPONSE_BOUND_S = "60";
  private static final int THREADS = 64;
  private static final long IDLE_THREAD_S = 10;

  /** Most large responses that are sent at once. */
  private static final int LARGE_RESPONSES = 4;

  private static final long TURN_BOUND_S = 5;

  static { // by default each slow client of the JDK's server blocks a thread for ever
    System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_BOUND_S);
    System.setProperty("sun.net.httpserver.maxRspTime", RESPONSE_BOUND_S);
  }

  private final HttpServer server;

  private HttpService(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts the server.
   *
   * @param port 0 = any free port
   * @param keys settings of the address, for error texts
   * @param probes by path; their responses are small
   * @param others by path; large responses, answered with 503 while too many are being sent
   * @throws IOException with address and keys if the server cannot listen there
   */
  public static HttpService start(
      String host,
      int port,
      String keys,
      Map<String, HttpHandler> probes,
      Map<String, HttpHandler> others)
      throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          "cannot listen on %s:%d (%s): %s".formatted(host, port, keys, e.getMessage()), e);
    }
    probes.forEach(server::createContext);
    var turns = new Semaphore(LARGE_RESPONSES);
    others.forEach((path, handler) -> server.createContext(path, inTurn(turns, handler)));
    server.setExecutor(threads());
    server.start();
    return new HttpService(server);
  }

  private static HttpHandler inTurn(Semaphore turns, HttpHandler handler) {
    return exchange -> {
      if (!hasTurn(turns)) {
        answer(exchange, 503, "text/plain", "other requests are being answered\n");
        return;
      }
      try {
        handler.handle(exchange);
      } finally {
        turns.release();
      }
    };
  }

  private static boolean hasTurn(Semaphore turns) {
    try {
      return turns.tryAcquire(TURN_BOUND_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Executor threads() {
    var threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_THREAD_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            HttpService::daemon);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "http");
    thread.setDaemon(true);
    return thread;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
