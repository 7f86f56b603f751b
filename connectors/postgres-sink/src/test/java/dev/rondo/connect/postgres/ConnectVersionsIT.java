package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowFlow;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.TestBed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The plugin in an old worker, {@code -Dconnect.version}, and in the current one: rows and series,
 * binary and as JSON, by two connectors side by side. User and password come from a file, and
 * Connect keeps only where.
 */
@Tag("long")
@Timeout(300)
class ConnectVersionsIT {
  private static final String VERSION = System.getProperty("connect.version");
  private static final String SECRET = "secret-of-a-test";
  private static final String SERIES =
      "select ident ->> 'name', policy, seg, pos from ds order by 1";

  private final TestDatabase database = TestDatabase.empty();
  private final TestKafka kafka = new TestKafka();
  private final RowModel model = new RowModel();
  private final Path secrets = TestBed.folder("secrets-").resolve("secrets.properties");

  @Test
  void shouldWorkInAnOldWorker() throws Exception {
    try (var worker = TestWorker.startVersion(VERSION)) {
      assertThat(worker.get("/").body()).contains("\"version\":\"%s\"".formatted(VERSION));
      shouldWork(worker, kafka.name("old"));
    }
  }

  @Test
  void shouldWorkInTheWorkerOfToday() throws Exception {
    TestWorker worker = TestWorker.shared();
    try {
      assertThat(worker.get("/").body()).contains("\"version\":\"4.");
      shouldWork(worker, kafka.name("today"));
    } finally {
      worker.deleteConnectors();
    }
  }

  private void shouldWork(TestWorker worker, String topics) throws Exception {
    Files.writeString(secrets, "user=rondo\npassword=%s\n".formatted(SECRET));
    kafka.createTopics(3, topics + "-series", topics + "-rows", topics + "-json");
    shouldNameWhatIsWrong(worker, topics);
    assertThat(worker.put("binary", binary(topics)).statusCode()).isEqualTo(201);
    assertThat(worker.put("json", json(topics)).statusCode()).isEqualTo(201);

    produceSeries(topics, "a", new SeriesEntry("a", "binary", 1, 1, 5L, "", "", 0L));
    produceSeries(topics, "b", new SeriesEntry("b", "binary", 1, 2, 5L, "", "", 0L));
    produceRows(topics, new RowFlow("binary", 50, 1).next(40));
    produceJson(topics, new RowFlow("json", 50, 2).next(40));
    shouldHold("a|binary|1|1", "b|binary|1|2", "json|json|1|1");

    boolean isStopped = stop(worker, "binary");
    produceSeries(topics, "a", null);
    produceRows(topics, new RowFlow("binary", 50, 3).next(60));
    if (isStopped) {
      assertThat(worker.put("/connectors/binary/resume").statusCode()).isEqualTo(202);
    } else {
      assertThat(worker.put("binary", binary(topics)).statusCode()).isEqualTo(201);
    }
    shouldHold("b|binary|1|2", "json|json|1|1");
    worker.awaitTasks("binary", 2);
    worker.awaitTasks("json", 2);
    assertThat(worker.get("/connectors/json/config").body()).contains("${file:");
    assertThat(worker.get("/connectors/json/tasks").body()).contains("${file:");
    for (String answer : List.of("/connectors/json/config", "/connectors/json/tasks")) {
      assertThat(worker.get(answer).body()).doesNotContain(SECRET);
    }
    assertThat(kafka.values(worker.group() + "-config"))
        .anyMatch(value -> value != null && value.contains("${file:"))
        .noneMatch(value -> value != null && value.contains(SECRET));
    assertThat(worker.log()).doesNotContain(SECRET);
  }

  /** Returns false if the worker, older than 3.5, cannot stop the connector: then it is deleted. */
  private static boolean stop(TestWorker worker, String connector) throws Exception {
    String path = "/connectors/" + connector;
    if (worker.put(path + "/stop").statusCode() == 204) {
      await().atMost(TestWorker.BOUND).until(() -> stateOf(worker, path).contains("\"STOPPED\""));
      await().atMost(TestWorker.BOUND).until(() -> stateOf(worker, path).contains("\"tasks\":[]"));
      return true;
    }
    worker.delete(connector);
    await()
        .atMost(TestWorker.BOUND)
        .until(() -> !worker.get("/connectors").body().contains(connector));
    return false;
  }

  private static String stateOf(TestWorker worker, String path) throws Exception {
    return worker.get(path + "/status").body();
  }

  private void shouldNameWhatIsWrong(TestWorker worker, String topics) throws Exception {
    assertThat(worker.get("/connector-plugins").body())
        .contains("\"class\":\"%s\"".formatted(PostgresSinkConnector.class.getName()))
        .contains("\"version\":\"0.1");
    var wrong = new TreeMap<>(binary(topics));
    wrong.put("connection.url", "jdbc:mysql://db/rondo");
    wrong.put("retry.backof.ms", "7");
    wrong.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    wrong.put("consumer.override.isolation.level", "read_comitted");
    var answer = worker.put("wrong", wrong);
    assertThat(answer.body())
        .contains("jdbc:mysql://db/rondo for configuration connection.url")
        .contains("Unknown key retry.backof.ms: did you mean retry.backoff.ms?")
        .contains("value.converter is 'org.apache.kafka.connect.storage.StringConverter'")
        .contains("consumer.override.isolation.level is 'read_comitted'");
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  private void shouldHold(String... series) {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(SERIES)).containsExactly(series));
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table()));
  }

  private Map<String, String> binary(String topics) {
    var config = common();
    config.put("topics", topics + "-series," + topics + "-rows");
    config.put("key.converter", RondoConverter.class.getName());
    config.put("value.converter", RondoConverter.class.getName());
    return config;
  }

  /** Unknown fields and numbers of other types, as in records from other sources. */
  private Map<String, String> json(String topics) {
    var config = common();
    config.put("topics", topics + "-json");
    config.put("key.converter", JsonConverter.class.getName());
    config.put("value.converter", JsonConverter.class.getName());
    config.put("transforms", "drop,cast,flat");
    config.put("transforms.drop.type", "org.apache.kafka.connect.transforms.ReplaceField$Value");
    config.put("transforms.drop.exclude", "comment");
    config.put("transforms.cast.type", "org.apache.kafka.connect.transforms.Cast$Value");
    config.put("transforms.cast.spec", "seg:float64");
    config.put("transforms.flat.type", "org.apache.kafka.connect.transforms.Flatten$Value");
    return config;
  }

  private Map<String, String> common() {
    return new TreeMap<>(
        Map.of(
            "connector.class",
            PostgresSinkConnector.class.getName(),
            "tasks.max",
            "2",
            "consumer.override.isolation.level",
            "read_committed",
            "connection.url",
            database.jdbcUrl().replace("?user=rondo", ""),
            "connection.user",
            "${file:%s:user}".formatted(secrets),
            "connection.password",
            "${file:%s:password}".formatted(secrets)));
  }

  private void produceSeries(String topics, String ident, SeriesEntry entry) {
    kafka.produce(Topics.SERIES.named(topics + "-series"), ident, entry);
  }

  private void produceRows(String topics, List<BundleRow> rows) {
    rows.forEach(model::add);
    kafka.produce(
        topics + "-rows",
        Topics.BUNDLE_ROWS.keySerde(),
        Topics.BUNDLE_ROWS.valueSerde(),
        rows.stream().map(row -> new TestKafka.Entry<>(Records.key(row), row)).toList());
  }

  private void produceJson(String topics, List<BundleRow> rows) {
    rows.forEach(model::add);
    var records =
        rows.stream()
            .map(
                row ->
                    new TestKafka.Entry<>(
                        key("%d/%d".formatted(row.getSeg(), row.getI())), value(row)))
            .collect(Collectors.toList());
    records.add(
        new TestKafka.Entry<>(
            key("json"),
            """
            {"schema": {"type": "struct", "fields": [
              {"field": "ident", "type": "string"}, {"field": "policy", "type": "string"},
              {"field": "seg", "type": "int32"}, {"field": "pos", "type": "int16"},
              {"field": "starts_at", "type": "int64"}, {"field": "comment", "type": "string"}]},
             "payload": {"ident": "json", "policy": "json", "seg": 1, "pos": 1, "starts_at": 5,
              "comment": "x"}}
            """));
    kafka.produce(topics + "-json", Serdes.String(), Serdes.String(), records);
  }

  private static String key(String key) {
    return "{\"schema\": {\"type\": \"string\"}, \"payload\": \"%s\"}".formatted(key);
  }

  /** JSON has no NaN: an unknown value is null. */
  private static String value(BundleRow row) {
    String dp =
        row.getDp().stream()
            .map(value -> Double.isNaN(value) ? "null" : value.toString())
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        """
        {"schema": {"type": "struct", "fields": [
          {"field": "policy", "type": "string"}, {"field": "cf", "type": "string"},
          {"field": "step_ms", "type": "int32"}, {"field": "size", "type": "int8"},
          {"field": "width", "type": "int16"}, {"field": "xff", "type": "float"},
          {"field": "seg", "type": "int64"}, {"field": "i", "type": "int32", "optional": true},
          {"field": "t", "type": "int64"}, {"field": "comment", "type": "string"},
          {"field": "dp", "type": "array", "items": {"type": "double", "optional": true}}]},
         "payload": {"policy": "%s", "cf": "wmean", "step_ms": %d, "size": %d, "width": %d,
          "xff": %s, "seg": %d, "i": %d, "t": %d, "comment": "x", "dp": [%s]}}
        """,
        row.getPolicy(),
        row.getStepMs(),
        row.getSize(),
        row.getWidth(),
        row.getXff(),
        row.getSeg(),
        row.getI(),
        row.getT(),
        dp);
  }
}
