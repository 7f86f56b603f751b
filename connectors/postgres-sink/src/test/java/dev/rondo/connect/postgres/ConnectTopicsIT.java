package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.TestBed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics in which Connect keeps its state are deleted. */
@Timeout(300)
class ConnectTopicsIT {
  private final TestDatabase database = TestDatabase.ofOwnServer();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final Topic<BundleRowKey, BundleRow> rows = Topics.BUNDLE_ROWS.named(kafka.name("rows"));

  /** A worker that starts without them knows no connector; the sink's offsets are elsewhere. */
  @Test
  void shouldGoOnWhereItWasWhenItIsCreatedAgain() throws Exception {
    kafka.createTopics(1, rows.name());
    Path token = Files.writeString(TestBed.folder("token-").resolve("token"), "t".repeat(32));
    try (TestWorker worker = TestWorker.startGuarded(token)) {
      worker.put(sink, config());
      row(1);
      awaitRows(1);
      deleteTopics(worker.group());
      row(2);
      awaitRows(2);

      worker.kill();
      try (TestWorker next = worker.startBeside()) {
        assertThat(next.get("/connectors").body()).isEqualTo("[]");
        row(3);
        next.put(sink, config());
        awaitRows(3);
        assertThat(next.log()).contains("{%s-0=2}".formatted(rows.name()));
      }
    }
  }

  private void deleteTopics(String group) throws Exception {
    List<String> topics = Stream.of("-config", "-offset", "-status").map(group::concat).toList();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      admin.deleteTopics(topics).all().get();
      await("the topics are gone")
          .atMost(TestWorker.BOUND)
          .until(() -> topics.stream().noneMatch(admin.listTopics().names().get()::contains));
    }
  }

  private Map<String, String> config() {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), 1, rows.name());
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    return config;
  }

  private void row(int i) {
    var row =
        new BundleRow(
            "p", "wmean", 10_000L, 1000, 4, 0.5, false, "wmean", 0, i, i * 10_000L, List.of(1.0));
    kafka.produce(rows, Records.key(row), row);
  }

  private void awaitRows(int count) {
    String stored = "select count(*) from ts where " + TestDatabase.HAS_SLOT;
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(
            () -> assertThat(database.query(stored)).containsExactly(Integer.toString(count)));
  }
}
