package dev.rondo.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server with the responses of the test. */
class PartMetricsTest {
  private static final String TOKEN = "s3cret";

  @TempDir Path dir;
  private HttpServer server;
  private volatile String body = "rondo_a 1\nrondo_b_total 2\njvm_threads 3\n";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/open",
        exchange -> {
          byte[] bytes = body.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.createContext(
        "/closed",
        exchange -> {
          String given = exchange.getRequestHeaders().getFirst("Authorization");
          exchange.sendResponseHeaders(("Bearer " + TOKEN).equals(given) ? 200 : 401, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void shouldReturnRatesFromTheSecondAnswerOn() {
    Metrics part = part("/open", null, 100);

    assertThat(part.parent()).isEqualTo("rondo.topology.web01-1");
    assertThat(part.read()).containsExactly(entry("up", 1.0), entry("a", 1.0));
    assertThat(part.read()).containsExactly(entry("up", 1.0), entry("a", 1.0), entry("b", 0.0));
  }

  @Test
  void shouldReportThatThePartIsDown() {
    Metrics part = part("/open", null, 100);
    server.stop(0);

    assertThat(part.read()).containsExactly(entry("up", 0.0));
  }

  @Test
  void shouldTreatAMalformedAnswerAsNone() {
    body = "<html>";

    assertThat(part("/open", null, 100).read()).containsExactly(entry("up", 0.0));
  }

  @Test
  void shouldSendToken() throws Exception {
    Path token = Files.writeString(dir.resolve("token"), TOKEN + "\n");

    assertThat(part("/closed", null, 100).read()).containsExactly(entry("up", 0.0));
    assertThat(part("/closed", token, 100).read()).containsExactly(entry("up", 1.0));
  }

  @Test
  void shouldPublishNoMoreSeriesThanTheBound() {
    assertThat(part("/open", null, 1).read()).containsExactly(entry("up", 1.0));
  }

  private Metrics part(String path, Path token, int maxSeries) {
    URI url = URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path));
    return new PartMetrics(new PartAddress("topology", url), "web01-1", token, maxSeries);
  }
}
