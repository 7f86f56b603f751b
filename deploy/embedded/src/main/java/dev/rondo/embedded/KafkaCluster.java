package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * A cluster of Kafka nodes with Kafka's default settings, each broker and controller in one
 * process. A killed node can be restarted with its folder and port.
 */
public final class KafkaCluster implements AutoCloseable {
  private final Path dir;
  private final List<Integer> ports;
  private final List<Integer> controllerPorts;
  private final String clusterId = Uuid.randomUuid().toString();
  private final Map<Integer, KafkaBroker> started = new ConcurrentHashMap<>();

  /**
   * Creates a cluster whose nodes do not run yet.
   *
   * @param dir node N, from 1, has the folder {@code kafka-N}
   * @param nodes at least three: Kafka's internal topics have three replicas
   */
  public KafkaCluster(Path dir, int nodes) {
    this.dir = dir;
    this.ports = IntStream.range(0, nodes).mapToObj(n -> FreePort.choose()).toList();
    this.controllerPorts = IntStream.range(0, nodes).mapToObj(n -> FreePort.choose()).toList();
  }

  /** HOST:PORT of all nodes, for {@code bootstrap.servers}. */
  public String bootstrap() {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /** Starts a cluster and waits until each node answers. */
  public static KafkaCluster start(Path dir, int nodes) {
    var cluster = new KafkaCluster(dir, nodes);
    IntStream.rangeClosed(1, nodes)
        .mapToObj(
            node -> // concurrently: a node answers once more than half of them run
            CompletableFuture.runAsync(
                    () -> cluster.start(node), start -> new Thread(start).start()))
        .toList()
        .forEach(CompletableFuture::join);
    return cluster;
  }

  /** Like {@link #start(int, Launch)}, logging to {@code kafka.log} in the folder of the node. */
  public KafkaBroker start(int node) {
    return start(node, Launch.to(folder(node).resolve("kafka.log")));
  }

  /**
   * Starts a node and waits until it answers, which requires that more than half of them run.
   *
   * @param node from 1
   * @throws StartFailedException if it does not start
   */
  public KafkaBroker start(int node, Launch launch) {
    Map<String, String> settings = new HashMap<>();
    settings.put("node.id", Integer.toString(node));
    settings.put("controller.quorum.voters", voters());
    KafkaBroker broker =
        KafkaBroker.start(
            folder(node),
            ports.get(node - 1),
            controllerPorts.get(node - 1),
            settings,
            clusterId,
            launch,
            KafkaBroker.DEFAULT_HEAP,
            List.of());
    started.put(node, broker);
    return broker;
  }

  /** Sends SIGKILL to a node. */
  public void kill(int node) {
    started.get(node).kill();
  }

  /** Sends SIGKILL to all nodes: the last ones could not shut down cleanly without the others. */
  @Override
  public void close() {
    started.values().forEach(KafkaBroker::kill);
  }

  private Path folder(int node) {
    return dir.resolve("kafka-" + node);
  }

  private String voters() {
    return IntStream.rangeClosed(1, ports.size())
        .mapToObj(node -> node + "@127.0.0.1:" + controllerPorts.get(node - 1))
        .collect(Collectors.joining(","));
  }
}
