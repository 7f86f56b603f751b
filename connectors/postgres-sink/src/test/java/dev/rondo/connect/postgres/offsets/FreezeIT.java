package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TcpProxy;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A worker freezes in the middle of a put, for longer than its session. Another one takes over its
 * task and writes newer records; then the first one continues its put.
 *
 * <pre>
 *   topic     before | stale | newer
 *   worker A  before   stale ......... frozen ......... continues with stale
 *   worker B                   stale   newer
 * </pre>
 */
@Timeout(300)
class FreezeIT {
  private static final String DP =
      "select i, "
          + TestDatabase.VALUES
          + " from ts where "
          + TestDatabase.HAS_SLOT
          + " order by i";
  private static final String IDENTS = "select ident ->> 'name' from ds order by 1";

  private final TestDatabase database = TestDatabase.empty();
  private final TestKafka kafka = new TestKafka();
  private TcpProxy proxy;
  private TestWorker first;
  private TestWorker second;
  private String sink;
  private String rows;
  private String entries;

  @BeforeEach
  void start() throws Exception {
    proxy = new TcpProxy(database.port());
    first = TestWorker.shared();
    second = first.startBeside();
  }

  @AfterEach
  void close() throws Exception {
    first.deleteConnectors();
    second.close();
    proxy.close();
  }

  @Test
  void shouldKeepTheValueThatCameLater() throws Exception {
    begin("value");
    afterTakeover(() -> row(2, 0.5), () -> row(2, 2), DP, "1|{1}", "2|{2}");
  }

  /** FenceIT has the same for one put. */
  @Test
  @Tag("long")
  void shouldKeepTheSeriesThatCameLater() throws Exception {
    begin("series");
    afterTakeover(
        () -> retire("a"),
        () -> {
          series("a", 1);
          series("c", 3);
        },
        IDENTS,
        "a",
        "b",
        "c");
  }

  private void begin(String name) throws Exception {
    sink = kafka.name(name);
    rows = kafka.name(name + "-rows");
    entries = kafka.name(name + "-entries");
    kafka.createTopics(1, rows, entries);
    first.put(sink, config());
    first.awaitTasks(sink, 1);
    series("a", 1);
    series("b", 2);
    awaitStored(IDENTS, "a", "b");
  }

  private void afterTakeover(Runnable stale, Runnable newer, String query, String... expected)
      throws Exception {
    row(1, 1);
    awaitStored("select dp[1] from ts where i = 1", "1");
    await().atMost(TestWorker.BOUND).until(() -> sinkSessions().size() == 1);
    TestWorker frozen = first.tasks(sink).containsValue(first.id()) ? first : second;
    TestWorker other = frozen == first ? second : first;
    String session = sinkSessions().get(0);
    proxy.hold();
    stale.run();
    await().atMost(TestWorker.BOUND).until(proxy::holdsBytes);
    frozen.freeze();
    try {
      await().atMost(TestWorker.BOUND).until(() -> Map.of(0, other.id()).equals(other.tasks(sink)));
      newer.run();
      awaitStored(query, expected);
    } finally {
      int before = frozen.log().length();
      frozen.thaw();
      // Otherwise it may read on for a moment and reach the newer records.
      await()
          .atMost(TestWorker.BOUND)
          .until(() -> frozen.log().substring(before).lines().anyMatch(this::tellsOfLostSession));
      proxy.release();
    }
    await().atMost(TestWorker.BOUND).until(() -> !sinkSessions().contains(session));
    await()
        .atMost(TestWorker.BOUND)
        .until(() -> first.tasks(sink).size() == 1 && second.tasks(sink).size() == 1);
    assertThat(database.query(query)).containsExactly(expected);
    row(3, 3);
    awaitStored("select dp[1] from ts where i = 3", "3");
  }

  private boolean tellsOfLostSession(String line) {
    return line.contains("connector-consumer-" + sink) && line.contains("UNKNOWN_MEMBER_ID");
  }

  private List<String> sinkSessions() {
    return database.query(
        "select pid from pg_stat_activity where application_name = 'rondo-postgres-sink'"
            + " and datname = current_database()");
  }

  private void awaitStored(String query, String... expected) {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(query)).containsExactly(expected));
  }

  private void row(long slot, double value) {
    var row =
        new BundleRow(
            "p",
            "wmean",
            10_000L,
            1000,
            4,
            0.5,
            false,
            "wmean",
            0,
            (int) slot,
            slot * 10_000,
            List.of(value));
    kafka.produce(
        rows,
        Topics.BUNDLE_ROWS.keySerde(),
        Topics.BUNDLE_ROWS.valueSerde(),
        List.of(new TestKafka.Entry<>(Records.key(row), row)));
  }

  private void series(String ident, int pos) {
    series(new TestKafka.Entry<>(ident, new SeriesEntry(ident, "p", 0, pos, 5L, "", "", 0L)));
  }

  private void retire(String ident) {
    series(new TestKafka.Entry<>(ident, null));
  }

  private void series(TestKafka.Entry<String, SeriesEntry> entry) {
    kafka.produce(
        entries, Topics.SERIES.keySerde(), Topics.SERIES.valueSerde(), Stream.of(entry).toList());
  }

  private Map<String, String> config() {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?user=rondo".formatted(proxy.port(), database.name());
    Map<String, String> config = TestWorker.sinkConfig(url, 1, rows, entries);
    config.put("consumer.override.isolation.level", "read_committed");
    // A frozen worker's partitions are given to the other one sooner.
    config.put("consumer.override.session.timeout.ms", "6000");
    config.put("consumer.override.heartbeat.interval.ms", "2000");
    return config;
  }
}
