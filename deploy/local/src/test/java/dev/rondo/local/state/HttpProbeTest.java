package dev.rondo.local.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class HttpProbeTest {
  @Test
  void shouldReportWhyAPartIsNotHealthy() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    answer(server, "/well", 200, "{\"ok\": true, \"reason\": null}");
    answer(server, "/api", 503, "{\"ok\": false, \"reason\": \"the database does not answer\"}");
    answer(server, "/topology", 503, "{\"state\": \"REBALANCING\"}");
    answer(server, "/other", 404, "{}");
    server.start();

    assertThat(HttpProbe.fault(url + "/well")).isEmpty();
    assertThat(HttpProbe.fault(url + "/api")).isEqualTo("the database does not answer");
    assertThat(HttpProbe.fault(url + "/topology")).isEqualTo("REBALANCING");
    assertThat(HttpProbe.fault(url + "/other")).isEqualTo("status 404");
    server.stop(0);
    assertThat(HttpProbe.fault(url + "/well")).isEqualTo("no answer from " + url + "/well");
  }

  @Test
  void shouldReadTheProblemsOfTheStatus() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    String problem =
        "{\"state\": \"critical\", \"stage\": \"sink\", \"text\": \"[53100] full\", \"docs\": \"d\","
            + " \"more\": 1}";
    answer(server, "/status", 200, "{\"problems\": [" + problem + "]}");
    answer(server, "/old/status", 200, "{}");
    server.start();

    assertThat(HttpProbe.problems(url, null))
        .containsExactly(new State.Problem("critical", "sink", "[53100] full", "d"));
    assertThat(HttpProbe.problems(url + "/old", null)).isEmpty();
    server.stop(0);
    assertThat(HttpProbe.problems(url, null)).isEmpty();
  }

  private static void answer(HttpServer server, String path, int status, String body) {
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(status, body.length());
          exchange.getResponseBody().write(body.getBytes(UTF_8));
          exchange.close();
        });
  }
}
