package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/** A single Kafka node, broker and controller in one, that listens on 127.0.0.1 only. */
public final class KafkaBroker implements RunningProcess {
  /** Default heap of the broker. */
  public static final String DEFAULT_HEAP = "512m";

  private static final Duration START_BOUND = Duration.ofMinutes(2);

  private final ChildProcess child;
  private final int port;
  private final int controllerPort;

  /** Cluster id for a newly formatted folder; an existing one keeps its id. */
  private final String clusterId;

  private KafkaBroker(ChildProcess child, int port, int controllerPort, String clusterId) {
    this.child = child;
    this.port = port;
    this.controllerPort = controllerPort;
    this.clusterId = clusterId;
  }

  /** As {@link #start(Path, int, Launch, String, List)}, logging to {@code dir/kafka.log}. */
  public static KafkaBroker start(Path dir, int port) {
    return start(dir, port, Launch.to(dir.resolve("kafka.log")), DEFAULT_HEAP, List.of());
  }

  /**
   * Starts a broker on the logs in {@code dir/data}, formats the folder if it is empty, and waits
   * until the broker answers.
   *
   * @param port 0: a free port
   * @param heap maximum heap, as -Xmx
   * @param options additional options of its JVM
   * @throws StartFailedException if it does not come up
   */
  public static KafkaBroker start(
      Path dir, int port, Launch launch, String heap, List<String> options) {
    int controller = FreePort.choose();
    Map<String, String> roles =
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "controller.quorum.voters", "1@127.0.0.1:" + controller);
    return start(dir, port, launch, heap, options, controller, roles, Uuid.randomUuid().toString());
  }

  /**
   * Starts another broker of the same cluster, and waits until it answers.
   *
   * @param dir data folder of the new broker
   * @param id of the node: 2 or more
   */
  public KafkaBroker another(Path dir, int id) {
    Map<String, String> roles =
        Map.of(
            "process.roles",
            "broker",
            "node.id",
            Integer.toString(id),
            "controller.quorum.voters",
            "1@127.0.0.1:" + controllerPort);
    Launch launch = Launch.to(dir.resolve("kafka.log"));
    return start(dir, 0, launch, DEFAULT_HEAP, List.of(), controllerPort, roles, clusterId);
  }

  private static KafkaBroker start(
      Path dir,
      int port,
      Launch launch,
      String heap,
      List<String> options,
      int controllerPort,
      Map<String, String> roles,
      String clusterId) {
    Path folder = dir.toAbsolutePath();
    int chosen = FreePort.orChosen("kafka", port);
    Path properties = writeProperties(folder, chosen, controllerPort, roles);
    var child =
        ChildProcess.start(
            "kafka",
            JavaCommand.withOptions(
                heap, options, KafkaMain.class.getName(), properties.toString(), clusterId),
            Map.of(),
            folder,
            launch);
    var broker = new KafkaBroker(child, chosen, controllerPort, clusterId);
    child.awaitReady(START_BOUND, broker::answers);
    return broker;
  }

  public int port() {
    return port;
  }

  /** HOST:PORT for {@code bootstrap.servers}. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  @Override
  public ProcessHandle process() {
    return child.process();
  }

  /** SIGKILL; returns when the broker is gone. */
  @Override
  public void kill() {
    child.kill();
  }

  /** SIGTERM; returns when the broker is gone. */
  @Override
  public void close() {
    child.close();
  }

  private static Path writeProperties(
      Path folder, int port, int controllerPort, Map<String, String> roles) {
    var properties = new Properties();
    properties.putAll(
        Map.of(
            "controller.listener.names", "CONTROLLER",
            "listeners", listeners(port, controllerPort, roles.get("process.roles")),
            "advertised.listeners", "PLAINTEXT://127.0.0.1:" + port,
            "log.dirs", folder.resolve("data").toString(),
            "auto.create.topics.enable", "false",
            "default.replication.factor", "1",
            "group.initial.rebalance.delay.ms", "0"));
    properties.putAll(roles);
    // no other broker could lead, and transaction markers would be lost: see PreviousSession
    properties.put("controlled.shutdown.enable", "false");
    // heap; cleared for each compaction of a partition; 300 000 keys fit, more take several passes
    properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024));
    // an idle controller wrote a record every half second, for standbys that do not exist
    properties.put("metadata.max.idle.interval.ms", "10000");
    properties.putAll(
        Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "4",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "transaction.state.log.num.partitions", "4",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1"));
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve("server.properties");
      try (var out = Files.newBufferedWriter(file)) {
        properties.store(out, "Written at every start");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the broker's settings in " + folder, e);
    }
  }

  private static String listeners(int port, int controllerPort, String roles) {
    String broker = "PLAINTEXT://127.0.0.1:" + port;
    return roles.contains("controller")
        ? broker + ",CONTROLLER://127.0.0.1:" + controllerPort
        : broker;
  }

  private boolean answers() throws Exception {
    if (!FreePort.isListening(port)) {
      return false;
    }
    Map<String, Object> config =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap(),
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            2000,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            4000);
    try (var admin = Admin.create(config)) {
      // A killed broker is listed at its old port until its session ends; clients that learn that
      // port would not reconnect.
      return admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).stream()
          .anyMatch(node -> node.port() == port);
    }
  }
}
