package dev.rondo.chaos.alerts;

import dev.rondo.chaos.fault.RondoUnderTest;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.harness.CommandFailedException;
import dev.rondo.harness.Load;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A Rondo under load, and what faults do to it. */
final class AlertSite implements AutoCloseable {
  private static final String POLICIES =
      """
      policies:
        - {name: boom, match: '^boom[.]', step: 1s, heartbeat: 10s, max.series: %d, expire.after: 10m, archives: ["1s:15m"]}
        - {name: default, match: '.*', step: 1s, heartbeat: 10s, archives: ["1s:15m", "10s:1h"]}
      """;

  /** Short steps: a lag of seconds is one. One policy has few series, 50 a partition. */
  static final String TIGHT = POLICIES.formatted(800);

  /** The same, with room for all series of an explosion. */
  static final String ROOMY = POLICIES.formatted(1_000_000);

  private static final int POLL_MS = 100;

  private final RondoUnderTest rondo;
  private final Loads loads;
  private final Producer<byte[], byte[]> producer;
  private final List<Connection> connections = new ArrayList<>();
  private Load load;
  private int next;

  AlertSite(RondoUnderTest rondo, Loads loads) {
    this.rondo = rondo;
    this.loads = loads;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", rondo.kafka()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  RondoUnderTest rondo() {
    return rondo;
  }

  void beginLoad() throws IOException, InterruptedException {
    load = loads.begin(loads.options().plain());
  }

  void endLoad() {
    load.process().destroy();
    load.process().onExit().join();
  }

  /** Another number than before. */
  int next() {
    return next++;
  }

  /** Sends a record without a key. */
  void send(String topic, byte[] value) throws InterruptedException, ExecutionException {
    producer.send(new ProducerRecord<>(topic, value)).get();
  }

  /** Opens sessions until a share of those that the server accepts is in use. */
  void connect(double share) throws SQLException {
    connections.add(rondo.postgres().connect("rondo-chaos"));
    try (Statement statement = connections.get(0).createStatement();
        ResultSet most =
            statement.executeQuery(
                "select current_setting('max_connections')::int, sum(numbackends) from pg_stat_database")) {
      most.next();
      for (long n = most.getLong(2); n < share * most.getInt(1); n++) {
        connections.add(rondo.postgres().connect("rondo-chaos"));
      }
    }
  }

  void disconnect() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  /**
   * Applies policies.
   *
   * @throws CommandFailedException if they are refused
   */
  void apply(String policies) throws IOException, InterruptedException {
    Path file = Files.writeString(rondo.cli().dir().resolve("policies.yaml"), policies);
    run("policies apply", file.toString());
  }

  /** Begins a backfill that would take hours, and kills it and its workers. */
  void killReplay() throws IOException, InterruptedException {
    Running backfill =
        rondo.cli().start("backfill", List.of("--topic=" + SourceTopics.POINTS, "--rate=1"));
    while (!backfill.output().contains("records read")) {
      if (!backfill.process().isAlive()) {
        throw backfill.failed();
      }
      Thread.sleep(POLL_MS);
    }
    backfill.kill(true);
  }

  void cancelReplay() throws IOException, InterruptedException {
    run("replay cancel");
  }

  private void run(String command, String... options) throws IOException, InterruptedException {
    Running running = rondo.cli().start(command, List.of(options));
    if (running.await() != 0) {
      throw running.failed();
    }
  }

  @Override
  public void close() throws SQLException {
    producer.close();
    disconnect();
    endLoad();
  }
}
