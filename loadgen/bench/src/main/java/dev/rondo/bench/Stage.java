package dev.rondo.bench;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.TemporaryFolder;
import dev.rondo.harness.SeriesLimits;
import dev.rondo.topology.policy.Policies;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker and a topology in a temporary folder, which is removed at the end. */
final class Stage implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(5);

  private final TemporaryFolder folder;
  private final Path dir;
  private final int partitions;
  private final String heap;
  private final SeriesLimits limits;
  private final int httpPort = FreePort.choose();
  private final KafkaBroker kafka;
  private ChildProcess topology;

  private Stage(TemporaryFolder folder, int partitions, String heap, SeriesLimits limits) {
    this.folder = folder;
    this.dir = folder.path();
    this.partitions = partitions;
    this.heap = heap;
    this.limits = limits;
    this.kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
  }

  /**
   * Starts the broker and the topology, and waits until the topology runs.
   *
   * @param heap maximum heap of the topology, as -Xmx
   * @param series that it must accept
   */
  static Stage start(int partitions, String heap, int series) throws IOException {
    Stage stage =
        new Stage(
            TemporaryFolder.create("rondo-bench-"), partitions, heap, new SeriesLimits(series));
    OpenAtExit.addOwner(stage);
    try {
      stage.startTopology();
      stage.awaitRunning();
      return stage;
    } catch (IOException | RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  /** Starts the topology; does not wait for it. */
  void startTopology() throws IOException {
    Path policies =
        Files.writeString(dir.resolve("policies.yaml"), limits.policies(Policies.DEFAULT_YAML));
    Properties properties = new Properties();
    properties.load(new StringReader(limits.topologySettings()));
    properties.put("policies.file", policies.toString());
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("state.dir", dir.resolve("state").toString());
    properties.put("http.port", Integer.toString(httpPort));
    properties.put("partitions", Integer.toString(partitions));
    Path file = dir.resolve("topology.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    Files.deleteIfExists(log());
    topology =
        ChildProcess.start(
            "topology",
            JavaCommand.of(
                System.getProperty("java.class.path"),
                List.of("-Xmx" + heap, "-Dlog4j2.configurationFile=classpath:log4j2.properties"),
                "dev.rondo.topology.Main",
                file.toString()),
            Map.of(),
            dir,
            Launch.to(log()));
  }

  void awaitRunning() {
    topology.awaitReady(START_BOUND, () -> probe().isRunning());
  }

  /** Kills the topology by SIGKILL; returns when it is gone. */
  void killTopology() {
    topology.kill();
  }

  TopologyProbe probe() {
    return new TopologyProbe(httpPort, topology.process().pid());
  }

  /** Log of the topology since its last start. */
  Path log() {
    return dir.resolve("topology.log");
  }

  String bootstrap() {
    return kafka.bootstrap();
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap()));
  }

  Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap(),
            ProducerConfig.LINGER_MS_CONFIG,
            20,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @Override
  public synchronized void close() throws IOException {
    OpenAtExit.remove(this);
    if (topology != null) {
      topology.kill();
    }
    kafka.kill();
    folder.close();
  }
}
