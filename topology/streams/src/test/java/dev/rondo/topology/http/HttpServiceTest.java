package dev.rondo.topology.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real HTTP. A probe that is not answered for half a minute ends a pod. */
class HttpServiceTest {
  private static final int CLIENTS = 12;
  private static final String LARGE = "x".repeat(32 * 1024 * 1024);

  /** The first two requests for it are being answered. */
  private final CountDownLatch held = new CountDownLatch(2);

  private final List<Socket> clients = new ArrayList<>();
  private HttpService service;

  @BeforeEach
  void start() throws IOException {
    HttpHandler large =
        exchange -> {
          held.countDown();
          HttpService.answer(exchange, 200, "text/plain", LARGE);
        };
    service =
        HttpService.start(
            "127.0.0.1",
            0,
            "http.host, http.port",
            Map.of("/health", exchange -> HttpService.answer(exchange, 200, "text/plain", "well")),
            Map.of("/metrics", large));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    service.close();
  }

  /** Such as scrapers on a machine that hangs. */
  @Test
  void shouldAnswerProbesWhileOthersTakeNoResponse() throws Exception {
    for (int n = 0; n < CLIENTS; n++) {
      send("GET /metrics HTTP/1.1\r\nHost: rondo\r\n\r\n");
    }
    held.await();
    assertThat(probe()).isEqualTo("well");
  }

  @Test
  void shouldAnswerProbesWhileOthersDoNotEndTheirRequest() throws Exception {
    for (int n = 0; n < CLIENTS; n++) {
      send("GET /metrics HTTP/1.1\r\n");
    }
    assertThat(probe()).isEqualTo("well");
  }

  private void send(String text) throws IOException {
    var client = new Socket();
    clients.add(client);
    client.setReceiveBufferSize(1024);
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String probe() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + "/health"))
            .timeout(Duration.ofSeconds(20))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
