package dev.rondo.bench.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.bench.TopologyProbe;
import dev.rondo.harness.Load;
import dev.rondo.harness.LocalRondo;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A whole Rondo under test, in a temporary folder. */
final class Rondo implements AutoCloseable {
  /** Provides a Rondo. */
  interface Source {
    Rondo start(Workload workload) throws IOException, InterruptedException;
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
  static Rondo start(Workload workload) throws IOException, InterruptedException {
    var cli = RondoCli.forDir(Files.createTempDirectory("rondo-bench-"));
    Path sources = Files.writeString(cli.dir().resolve("sources.yaml"), workload.sources(), UTF_8);
    var local = LocalRondo.temporary(cli, List.of("--sources=" + sources));
    return new Rondo(cli, local, false);
  }

  /** The same Rondo; closing this one does not end it. */
  Rondo kept() {
    return new Rondo(cli, local, true);
  }

  /**
   * Starts a load.
   *
   * @param run name of the run, part of its series' names
   * @param plan name of the plan
   * @param more options for {@code ./rondo loadgen}
   */
  Load load(String run, String plan, Workload workload, String... more)
      throws IOException, InterruptedException {
    var options = new ArrayList<>(workload.loadOptions());
    options.add("--run=" + run);
    options.addAll(List.of(more));
    return Load.begin(cli, plan, options);
  }

  /** The processes of each part, including children. */
  Map<String, ProcessHandle> parts() {
    return local.processes();
  }

  /** Points consumed by the topology. */
  long points() throws IOException, InterruptedException {
    var probe =
        new TopologyProbe(
            URI.create(local.address("topology")).getPort(), parts().get("topology").pid());
    return (long) probe.sum("rondo_decode_points_total ");
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        local
            .address("postgres")
            .replaceFirst("postgresql://(\\w+)@(.*)", "jdbc:postgresql://$2?user=$1"));
  }

  /** Memory per part, shared memory counted once, MB; empty without {@code /proc}. */
  Map<String, Long> residentMb() throws IOException {
    var resident = new LinkedHashMap<String, Long>();
    for (var part : parts().entrySet()) {
      long kb = 0;
      for (ProcessHandle process :
          Stream.concat(Stream.of(part.getValue()), part.getValue().descendants()).toList()) {
        Path memory = Path.of("/proc", Long.toString(process.pid()), "smaps_rollup");
        if (Files.isReadable(memory)) {
          kb +=
              Files.readAllLines(memory).stream()
                  .filter(line -> line.startsWith("Pss:"))
                  .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                  .sum();
        }
      }
      resident.put(part.getKey(), kb / 1024);
    }
    return resident;
  }

  /**
   * {@code clean}, or the differences that {@code ./rondo verify} found.
   *
   * @param lagSeconds lag to catch up before
   */
  String verify(double lagSeconds, Path... plans) throws IOException, InterruptedException {
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
