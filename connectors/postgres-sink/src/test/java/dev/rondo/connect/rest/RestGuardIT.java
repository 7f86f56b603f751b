package dev.rondo.connect.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.testbed.TestBed;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers whose REST API is closed: what they refuse, and that they still reach each other. */
@Timeout(300)
class RestGuardIT {
  private static final String SIGNED =
      "X-Connect-Authorization: AAAA\r\nX-Connect-Request-Signature-Algorithm: HmacSHA256\r\n";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static TestWorker worker;

  @BeforeAll
  static void start() throws Exception {
    Path token = TestBed.folder("token-").resolve("token");
    Files.writeString(token, "0123456789abcdef");
    worker = TestWorker.startGuarded(token);
  }

  @AfterAll
  static void stop() {
    worker.close();
  }

  /** Connect keeps a body in memory before it checks the signature. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /connectors/x/tasks|Content-Length: 2\r\n",
        "POST /connectors/x/tasks|Content-Length: 400000000\r\n",
        "POST /connectors/x/tasks|Content-Length: 131073\r\n" + SIGNED,
        "POST /connectors/x/tasks|Content-Length: 4000000000\r\n" + SIGNED,
        "POST /connectors/x/tasks|Transfer-Encoding: chunked\r\n" + SIGNED,
        "PUT /connectors/x/fence|Content-Length: 131073\r\n" + SIGNED
      })
  void shouldRefuseBeforeItReadsTheBody(String request) throws Exception {
    String[] parts = request.split("\\|", -1);
    String[] address = worker.id().split(":", -1);
    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
      socket.setSoTimeout(60_000);
      String head =
          parts[0]
              + " HTTP/1.1\r\nHost: worker\r\nContent-Type: application/json\r\n"
              + parts[1]
              + "\r\n";
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      String status = new String(socket.getInputStream().readNBytes(12), US_ASCII);
      assertThat(status).isEqualTo("HTTP/1.1 401");
    }
  }

  /** A connector beside the leader has its leader store the configs of more tasks. */
  @Test
  void shouldLetWorkersAskEachOther() throws Exception {
    var kafka = new TestKafka();
    TestDatabase database = TestDatabase.empty();
    String topic = kafka.name("rows");
    kafka.createTopics(2, topic);
    List<String> sinks = List.of(kafka.name("one"), kafka.name("two"));
    try (TestWorker other = worker.startBeside()) {
      for (String sink : sinks) {
        worker.put(sink, config(database, topic, 1));
      }
      await("each worker has a connector")
          .atMost(TestWorker.BOUND)
          .untilAsserted(
              () -> assertThat(workers(sinks)).containsExactlyInAnyOrder(worker.id(), other.id()));
      for (String sink : sinks) {
        worker.put(sink, config(database, topic, 2));
        worker.awaitTasks(sink, 2);
      }
    } finally {
      worker.deleteConnectors();
    }
  }

  private static Set<String> workers(List<String> sinks) throws Exception {
    var workers = new TreeSet<String>();
    for (String sink : sinks) {
      var status = JSON.readTree(worker.get("/connectors/" + sink + "/status").body());
      workers.add(status.path("connector").path("worker_id").asText());
    }
    return workers;
  }

  private static Map<String, String> config(TestDatabase database, String topic, int tasks) {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), tasks, topic);
    config.put("consumer.override.isolation.level", "read_committed");
    return config;
  }
}
