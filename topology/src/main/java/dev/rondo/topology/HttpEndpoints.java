package dev.rondo.topology;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/** {@code GET /health}: 200 while points are processed, 503 else. {@code GET /metrics}. */
final class HttpEndpoints implements AutoCloseable {
  private final HttpServer server;

  private HttpEndpoints(HttpServer server) {
    this.server = server;
  }

  /**
   * Serves from now on.
   *
   * @param port 0 = any free one
   * @throws IOException naming address and keys, where the port is taken
   */
  static HttpEndpoints start(
      String host, int port, Supplier<KafkaStreams.State> state, PrometheusMeterRegistry registry)
      throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (BindException e) {
      throw new IOException(
          "cannot serve on " + host + ":" + port + " (http.host, http.port): " + e.getMessage(), e);
    }
    server.createContext("/health", exchange -> health(exchange, state.get()));
    server.createContext(
        "/metrics",
        exchange -> answer(exchange, 200, "text/plain; version=0.0.4", registry.scrape()));
    server.setExecutor(Executors.newFixedThreadPool(2, HttpEndpoints::daemon));
    server.start();
    return new HttpEndpoints(server);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "http");
    thread.setDaemon(true);
    return thread;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void health(HttpExchange exchange, KafkaStreams.State state) throws IOException {
    int status = state == KafkaStreams.State.RUNNING ? 200 : 503;
    answer(exchange, status, "application/json", "{\"state\":\"" + state + "\"}\n");
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
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
