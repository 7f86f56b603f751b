package dev.rondo.tools.fill;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.tools.command.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FillMetricsTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private FillMetrics metrics;

  @BeforeEach
  void start() {
    metrics =
        FillMetrics.start(
            "127.0.0.1",
            0,
            () -> {
              throw new SQLException("is away");
            });
  }

  @AfterEach
  void stop() {
    metrics.close();
  }

  @Test
  void shouldAnswerThoughOthersNeverFinishTheirRequests() throws Exception {
    List<Socket> others = new ArrayList<>();
    try {
      for (int n = 0; n < 4; n++) {
        Socket other = new Socket(InetAddress.getLoopbackAddress(), metrics.port());
        others.add(other);
        other.getOutputStream().write("GET /metr".getBytes(US_ASCII));
      }
      URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(metrics.port()));
      var answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).timeout(BOUND).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("PostgreSQL failed: is away");
    } finally {
      for (Socket other : others) {
        other.close();
      }
    }
  }

  @Test
  void shouldNameAddressAndOptionsWhenItCannotListen() throws IOException {
    assertThatThrownBy(() -> FillMetrics.start("127.0.0.1", metrics.port(), () -> null))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(
            "cannot listen on 127.0.0.1:%d (--metrics-host, --metrics-port)"
                .formatted(metrics.port()));
  }
}
