package dev.rondo.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/** A Kafka node, broker and controller in one, on 127.0.0.1: alone or in a {@link KafkaCluster}. */
public final class KafkaBroker extends Server {
  /** Default heap of the broker. */
  public static final String DEFAULT_HEAP = "512m";

  private static final Duration START_BOUND = Duration.ofMinutes(2);

  /** Settings of a single node. */
  private static final Map<String, String> ALONE =
      Map.of(
          // no other broker can lead, and transaction markers would be lost: see PreviousSession
          "controlled.shutdown.enable", "false",
          // an idle controller writes a record every half second, for standbys that do not exist
          "metadata.max.idle.interval.ms", "10000",
          "offsets.topic.replication.factor", "1",
          "transaction.state.log.replication.factor", "1",
          "transaction.state.log.min.isr", "1",
          "share.coordinator.state.topic.replication.factor", "1",
          "share.coordinator.state.topic.min.isr", "1");

  private KafkaBroker(ChildProcess child, int port) {
    super(child, port);
  }

  /** Like {@link #start(Path, int, Launch, String, List)}, logging to {@code dir/kafka.log}. */
  public static KafkaBroker start(Path dir, int port) {
    return start(dir, port, Launch.to(dir.resolve("kafka.log")), DEFAULT_HEAP, List.of());
  }

  /** Like the method above, with settings that are added to the usual ones or replace them. */
  public static KafkaBroker start(Path dir, int port, Map<String, String> settings) {
    Launch launch = Launch.to(dir.resolve("kafka.log"));
    return start(dir, port, launch, DEFAULT_HEAP, List.of(), settings);
  }

  /**
   * Starts a broker with data in {@code dir/data}, formats the folder if it is empty, and waits
   * until the broker answers.
   *
   * @param port 0: a free port
   * @param heap maximum heap, as -Xmx
   * @param options additional options of its JVM
   * @throws StartFailedException if it does not start
   */
  public static KafkaBroker start(
      Path dir, int port, Launch launch, String heap, List<String> options) {
    return start(dir, port, launch, heap, options, Map.of());
  }

  /**
   * Like the method above, with more settings; {@code listeners} and {@code advertised.listeners}
   * are added to the node's own.
   */
  public static KafkaBroker start(
      Path dir,
      int port,
      Launch launch,
      String heap,
      List<String> options,
      Map<String, String> more) {
    int controller = FreePort.choose();
    Map<String, String> settings = new HashMap<>(ALONE);
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.putAll(more);
    String clusterId = Uuid.randomUuid().toString();
    return start(
        dir,
        FreePort.orChosen("kafka", port),
        controller,
        settings,
        clusterId,
        launch,
        heap,
        options);
  }

  /**
   * Starts a node, alone or of a cluster, and waits until it answers.
   *
   * @param settings at least {@code node.id} and {@code controller.quorum.voters}
   * @param clusterId for a newly formatted folder; an existing one keeps its id
   */
  static KafkaBroker start(
      Path dir,
      int port,
      int controllerPort,
      Map<String, String> settings,
      String clusterId,
      Launch launch,
      String heap,
      List<String> options) {
    Path folder = dir.toAbsolutePath();
    Path properties = writeProperties(folder, port, controllerPort, settings);
    var child =
        ChildProcess.start(
            "kafka",
            JavaCommand.withOptions(
                heap, options, KafkaMain.class.getName(), properties.toString(), clusterId),
            Map.of(),
            folder,
            launch);
    var broker = new KafkaBroker(child, port);
    child.awaitReady(START_BOUND, broker::answers);
    return broker;
  }

  /** HOST:PORT for {@code bootstrap.servers}. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  private static Path writeProperties(
      Path folder, int port, int controllerPort, Map<String, String> settings) {
    String broker = "PLAINTEXT://127.0.0.1:" + port;
    var properties =
        new HashMap<>(
            Map.of(
                "process.roles", "broker,controller",
                "controller.listener.names", "CONTROLLER",
                "listeners", broker + ",CONTROLLER://127.0.0.1:" + controllerPort,
                "advertised.listeners", broker,
                "log.dirs", folder.resolve("data").toString(),
                "auto.create.topics.enable", "false",
                "group.initial.rebalance.delay.ms", "0",
                "offsets.topic.num.partitions", "4",
                "transaction.state.log.num.partitions", "4"));
    // on the heap; holds 300 000 keys, more take several passes
    properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024));
    settings.forEach(
        (key, value) ->
            properties.merge(
                key, value, (own, added) -> key.endsWith("listeners") ? added + "," + own : added));
    return PropertiesFile.write(folder.resolve("server.properties"), properties);
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
      // Until its session ends, a killed broker is listed with its old port, to which clients would
      // connect in vain.
      return admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).stream()
          .anyMatch(node -> node.port() == port);
    }
  }
}
