package dev.rondo.connect.postgres.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.schemas.BundleRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A worker with two tasks, the network, PostgreSQL, and a stream that flows from one to the other.
 */
public final class OutageRig {
  public static final String PASSWORD = "secret";
  public static final int TASKS = 2;

  private static final Duration BOUND = TestWorker.BOUND;
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(12);

  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String rows = kafka.name("rows");
  private final String series = kafka.name("series");
  private final String deadLetters = kafka.name("dead-letters");
  private final TestWorker worker = TestWorker.shared();
  private final TestDatabase database = TestDatabase.dedicated();
  private final TcpProxy proxy;
  private final RowStream stream;
  private int logRead;

  private OutageRig() throws Exception {
    prepareDatabase();
    proxy = new TcpProxy(database.port());
    kafka.createTopics(4, rows);
    kafka.createTopics(2, series);
    kafka.createTopics(1, deadLetters);
    long seed = Long.getLong("rondo.outage.seed", System.nanoTime());
    System.out.println("rondo.outage.seed=" + seed);
    stream = new RowStream(kafka.bootstrap(), rows, series, seed);
  }

  public static OutageRig start() throws Exception {
    var rig = new OutageRig();
    var created = rig.worker.put(rig.sink, rig.connector());
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    rig.shouldHoldWhatWasSent();
    return rig;
  }

  public TestDatabase database() {
    return database;
  }

  public TcpProxy proxy() {
    return proxy;
  }

  public RowStream stream() {
    return stream;
  }

  /** {@code max.poll.interval.ms} of the tasks' consumers. */
  public Duration longestSilence() {
    return LONGEST_SILENCE;
  }

  /**
   * Waits until the worker has logged all {@code words} in one line, after the line awaited before.
   */
  public void awaitLog(String... words) {
    awaitLogWhile(() -> {}, words);
  }

  /** The same, and does something before each look. */
  public void awaitLogWhile(Runnable action, String... words) {
    await(String.join(" ", words))
        .atMost(BOUND)
        .until(
            () -> {
              action.run();
              return worker.log().substring(logRead).lines().anyMatch(line -> has(line, words));
            });
  }

  public void outlast(Duration outage) {
    await().pollDelay(outage).atMost(outage.plus(BOUND)).until(() -> true);
  }

  /**
   * Asserts that the tables hold everything that was sent, row by row, and that the tasks run; then
   * the stream continues.
   */
  public void shouldHoldWhatWasSent() throws Exception {
    ExpectedTables expected = stream.pause();
    try {
      await()
          .atMost(BOUND)
          .pollInterval(Duration.ofMillis(300))
          .untilAsserted(
              () -> {
                List<String> differences = expected.differences(database);
                assertThat(differences.subList(0, Math.min(5, differences.size())))
                    .as("%d rows, first", differences.size())
                    .isEmpty();
              });
      assertThat(status()).contains("RUNNING").doesNotContain("FAILED");
      logRead = worker.log().length();
    } finally {
      stream.goOn(); // otherwise the tests after a failed one would wait in vain
    }
  }

  /**
   * Asserts that each poisoned record is a dead letter, with its header and PostgreSQL's reason.
   */
  public void shouldHaveReportedPoisonedRecords() {
    stream.pause();
    var poisons = new HashSet<String>();
    var reasons = new ArrayList<String>();
    Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrap());
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      var partition = new TopicPartition(deadLetters, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      await("dead letters of all poisoned records")
          .atMost(BOUND)
          .untilAsserted(
              () -> {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                  poisons.add(header(record, RowStream.POISON_HEADER));
                  reasons.add(header(record, "__connect.errors.exception.message"));
                }
                assertThat(poisons).isNotEmpty().isEqualTo(stream.poisons());
              });
      assertThat(reasons).allSatisfy(reason -> assertThat(reason).contains("check constraint"));
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  /** Ids of the consumers in the connector's group. */
  public List<String> members() throws Exception {
    String group = "connect-" + sink;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      return admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
          .map(member -> member.consumerId())
          .sorted()
          .toList();
    }
  }

  /** Terminates the sink's sessions, as an operator does. */
  public void endSessions() {
    database.query(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'sink'");
  }

  public int sessions() {
    return Integer.parseInt(
        database.query("select count(*) from pg_stat_activity where usename = 'sink'").get(0));
  }

  public void takeAllConnections(List<Connection> taken) {
    try {
      while (true) {
        taken.add(
            DriverManager.getConnection(database.jdbcUrl().replace("user=rondo", "user=greedy")));
      }
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("53300");
    }
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl());
  }

  /** Sets the authentication method of the sink's role in pg_hba.conf. */
  public void hostRule(String method) throws Exception {
    Path file = database.folder().resolve("pg_hba.conf");
    List<String> others =
        Files.readAllLines(file).stream()
            .filter(line -> !line.startsWith("host all sink "))
            .toList();
    Files.writeString(
        file, "host all sink 127.0.0.1/32 %s\n%s\n".formatted(method, String.join("\n", others)));
    database.execute("select pg_reload_conf()");
  }

  /**
   * {@code other} takes the second row, the sink the first and waits; then other wants the first.
   */
  public void deadlock(Connection other, BundleRow first, BundleRow second) throws Exception {
    String lock = "select from ts where i = %d and t = to_timestamp(%d) for update";
    other.createStatement().execute(lock.formatted(second.getI(), second.getT() / 1000));
    worker.put("/connectors/%s/pause".formatted(sink));
    await().atMost(BOUND).until(() -> status().split("PAUSED", -1).length > TASKS + 1);
    stream.emit(first);
    stream.emit(second);
    stream.flush();
    worker.put("/connectors/%s/resume".formatted(sink)); // both come in one put
    await()
        .atMost(BOUND)
        .until(
            () ->
                database
                        .query(
                            "select from pg_stat_activity where usename = 'sink' and wait_event_type = 'Lock'")
                        .size()
                    > 0);
    CompletableFuture.runAsync(
            () -> {
              try {
                other.createStatement().execute(lock.formatted(first.getI(), first.getT() / 1000));
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            })
        .get();
  }

  /** The worker's answer to a validation of the config. */
  public String validated() throws Exception {
    return worker.validate(connector());
  }

  public void awaitFailed(String... words) {
    await().atMost(BOUND).until(() -> status().contains("FAILED") && has(status(), words));
  }

  /** Restarts what has failed, again if a task only fails meanwhile. */
  public void restartFailed() {
    await()
        .atMost(BOUND)
        .until(
            () -> {
              boolean hasFailed = status().contains("FAILED");
              if (hasFailed) {
                worker.post(
                    "/connectors/%s/restart?includeTasks=true&onlyFailed=true".formatted(sink));
              }
              return !hasFailed;
            });
  }

  public void stop() throws Exception {
    stream.close();
    worker.deleteConnectors();
    proxy.close();
    database.remove();
  }

  private String status() throws Exception {
    return worker.get("/connectors/%s/status".formatted(sink)).body();
  }

  private static boolean has(String text, String... words) {
    return List.of(words).stream().allMatch(text::contains);
  }

  private void prepareDatabase() throws Exception {
    database.execute(
        """
        create role greedy login;
        create role sink login password '%s';
        grant select, insert, update, delete on ds, ts, rra_bundle, applied_offset to sink;
        grant select, delete on location_period to sink;
        grant select, insert, delete on event to sink;
        grant execute on function rondo_rename_series to sink;
        alter role sink set deadlock_timeout = '200ms';
        alter table ts add constraint poison check (t <> to_timestamp(%d))
        """
            .formatted(PASSWORD, RowStream.POISON_MS / 1000));
    hostRule("scram-sha-256");
    database.execute("alter system set max_connections = 20");
    database.stop();
    database.startAgain();
  }

  private Map<String, String> connector() {
    String url = "jdbc:postgresql://127.0.0.1:%d/%s".formatted(proxy.port(), database.name());
    Map<String, String> config = TestWorker.sinkConfig(url, TASKS, series, rows);
    config.putAll(
        Map.of(
            "name", sink,
            "connection.user", "sink",
            "connection.password", PASSWORD,
            "connection.timeout.ms", "1000",
            "socket.timeout.ms", "2000",
            "retry.backoff.ms", "50",
            "retry.backoff.max.ms", "400"));
    config.put("consumer.override.max.poll.interval.ms", Long.toString(LONGEST_SILENCE.toMillis()));
    config.put("errors.tolerance", "all");
    config.put("errors.deadletterqueue.topic.name", deadLetters);
    config.put("errors.deadletterqueue.topic.replication.factor", "1");
    config.put("errors.deadletterqueue.context.headers.enable", "true");
    return config;
  }
}
