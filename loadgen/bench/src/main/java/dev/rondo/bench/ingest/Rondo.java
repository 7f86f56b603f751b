package dev.rondo.bench.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.bench.ProcessCpu;
import dev.rondo.bench.ProcessMemory;
import dev.rondo.bench.TopologyProbe;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.harness.Load;
import dev.rondo.harness.LocalRondo;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import dev.rondo.topology.policy.Policies;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole Rondo under test, in a temporary folder. */
public final class Rondo implements AutoCloseable {
  /** Provides a Rondo. */
  public interface Source {
    /**
     * Starts a Rondo.
     *
     * @param topologySettings more settings of its topology, a line each
     */
    Rondo start(Workload workload, String topologySettings)
        throws IOException, InterruptedException;
  }

  /** How long to wait for slots before they count as missing. */
  private static final int WAIT_SECONDS = 120;

  private final RondoCli cli;
  private final LocalRondo local;
  private final boolean isKept;

  private Rondo(RondoCli cli, LocalRondo local, boolean isKept) {
    this.cli = cli;
    this.local = local;
    this.isKept = isKept;
  }

  /** Starts an empty Rondo that reads the topic of a workload; it ends with this process. */
  public static Rondo start(Workload workload, String topologySettings)
      throws IOException, InterruptedException {
    var cli = RondoCli.forDir(Files.createTempDirectory("rondo-bench-"));
    write(cli, "sources.yaml", workload.sources());
    write(cli, "policies.yaml", workload.limits().policies(Policies.DEFAULT_YAML));
    write(cli, "topology.properties", workload.limits().topologySettings() + topologySettings);
    var local = LocalRondo.temporary(cli, List.of());
    return new Rondo(cli, local, false);
  }

  /** Writes a file where {@code ./rondo up} looks for it. */
  private static void write(RondoCli cli, String name, String text) throws IOException {
    Files.writeString(cli.dir().resolve(name), text, UTF_8);
  }

  /** The same Rondo; closing this one does not end it. */
  public Rondo kept() {
    return new Rondo(cli, local, true);
  }

  /**
   * Starts a load.
   *
   * @param run name of the run, part of its series' names
   * @param plan name of the plan
   * @param more options for {@code ./rondo loadgen}
   */
  public Load load(String run, String plan, Workload workload, String... more)
      throws IOException, InterruptedException {
    var options = new ArrayList<>(workload.loadOptions());
    options.add("--run=" + run);
    options.addAll(List.of(more));
    return Load.begin(cli, plan, options);
  }

  /** Starts a command of {@code ./rondo} on its folder. */
  RondoCli.Running command(String command, List<String> options) throws IOException {
    return cli.start(command, options);
  }

  /** Its data folder. */
  Path dir() {
    return cli.dir();
  }

  /** The processes of each part, including children. */
  public Map<String, ProcessHandle> parts() {
    return local.processes();
  }

  /** CPU time of the JIT compilers of all parts. */
  double compilerCpuSeconds() {
    return parts().values().stream().mapToDouble(ProcessCpu::ofCompilers).sum();
  }

  /** Points consumed by the topology. */
  public long points() throws IOException, InterruptedException {
    return (long) probe().sum("rondo_decode_points_total ");
  }

  /** A metric of the topology without labels. */
  double metric(String name) throws IOException, InterruptedException {
    return probe().sum(name + " ");
  }

  /** Points that the topology did not store. */
  long droppedPoints() throws IOException, InterruptedException {
    return probe().droppedPoints();
  }

  private TopologyProbe probe() {
    return new TopologyProbe(
        URI.create(local.address("topology")).getPort(), parts().get("topology").pid());
  }

  public Connection connect() throws SQLException {
    return PostgresUrl.parse(local.address("postgres")).connect("rondo-bench");
  }

  /** Address of the query API. */
  public URI api() {
    return URI.create(local.address("api"));
  }

  /** Memory per part, shared memory counted once, MB; empty without {@code /proc}. */
  public Map<String, Long> residentMb() throws IOException {
    var resident = new LinkedHashMap<String, Long>();
    for (var part : parts().entrySet()) {
      resident.put(part.getKey(), ProcessMemory.ofTree(part.getValue()).pss() / 1024);
    }
    return resident;
  }

  /**
   * {@code clean}, or the differences that {@code ./rondo verify} found.
   *
   * @param lagSeconds lag to catch up before
   */
  public String verify(double lagSeconds, Path... plans) throws IOException, InterruptedException {
    long waitSeconds = WAIT_SECONDS + (long) (2 * lagSeconds);
    var options = new ArrayList<>(List.of("--wait=" + waitSeconds, "--sample=0"));
    for (Path plan : plans) {
      options.add("--plan=" + plan);
    }
    Running verify = cli.start("verify", options);
    return switch (verify.await()) {
      case 0 -> "clean";
      case 1 -> verify.output();
      default -> throw verify.failed();
    };
  }

  @Override
  public void close() {
    if (!isKept) {
      local.close();
    }
  }
}
