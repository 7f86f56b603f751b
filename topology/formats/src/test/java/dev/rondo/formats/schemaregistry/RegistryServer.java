package dev.rondo.formats.schemaregistry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A schema registry on loopback, which can be slow, wrong and dead. */
public final class RegistryServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Path and, if it was sent, header Authorization of each request. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean holdsKnown;

  private RegistryServer(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Starts without schemas; port 0 = any. */
  public static RegistryServer start(int port) {
    try {
      return new RegistryServer(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** Connection settings with a timeout. */
  Registry registry(Duration timeout, Duration retry) {
    return new Registry(
        java.net.URI.create(url()), Optional.empty(), Optional.empty(), timeout, retry);
  }

  /**
   * Sets the response to a path: a schema.
   *
   * @param references {@code name subject version} each
   */
  public RegistryServer put(String path, String type, String schema, String... references) {
    List<Map<String, Object>> refers = new ArrayList<>();
    for (String reference : references) {
      String[] words = reference.split(" ", -1);
      refers.add(
          Map.of("name", words[0], "subject", words[1], "version", Integer.parseInt(words[2])));
    }
    try {
      answers.put(
          path,
          JSON.writeValueAsString(
              Map.of("schema", schema, "schemaType", type, "references", refers)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Blocks all requests until {@link #resume}. */
  public void hold() {
    holdsKnown = true;
    gate = new CountDownLatch(1);
  }

  /** Blocks requests of paths without a response until {@link #resume}. */
  void holdUnknown() {
    holdsKnown = false;
    gate = new CountDownLatch(1);
  }

  /** Answers blocked and later requests. */
  public void resume() {
    gate.countDown();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    requests.add(
        exchange.getRequestURI().getRawPath() + (authorization == null ? "" : " " + authorization));
    String found = answers.get(exchange.getRequestURI().getPath());
    if (found == null || holdsKnown) {
      awaitGate();
      found = answers.get(exchange.getRequestURI().getPath());
    }
    byte[] body =
        (found == null ? "{\"error_code\":40403,\"message\":\"Schema not found\"}" : found)
            .getBytes(UTF_8);
    exchange.sendResponseHeaders(found == null ? 404 : 200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    resume();
    server.stop(0);
    threads.shutdownNow();
  }
}
