package dev.rondo.bench.peers;

import dev.rondo.bench.Machine;
import dev.rondo.bench.Progress;
import dev.rondo.bench.ingest.Rondo;
import dev.rondo.bench.ingest.RondoCommand;
import dev.rondo.bench.ingest.SizeOptions;
import dev.rondo.bench.ingest.Timing;
import dev.rondo.bench.ingest.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The same points in Rondo and then in VictoriaMetrics, on this machine. */
@Command(
    name = "peers",
    description = {
      "Sends the same points to Rondo and to VictoriaMetrics, and compares the costs.",
      "",
      "VictoriaMetrics is a single node and takes Graphite lines over TCP. Compared are the "
          + "cost of a point, memory, size on disk, time until a value is readable, and time of "
          + "some queries of /render."
    })
public final class PeersCommand extends RondoCommand {
  private static final String HOW_TO_BUILD =
      """
      name a binary of the single node: --victoria-metrics=FILE. To build one with Go:
        source=$(go mod download -json github.com/VictoriaMetrics/VictoriaMetrics@latest | sed -n 's/.*"Dir": "\\(.*\\)",/\\1/p')
        cp -r "$source" victoria-metrics-source && chmod -R u+w victoria-metrics-source
        (cd victoria-metrics-source && go build -o victoria-metrics ./app/victoria-metrics)""";

  /** Formats whose series have the same names as in Graphite lines. */
  private static final List<String> PATHS = List.of("native", "graphite");

  @Option(
      names = "--victoria-metrics",
      paramLabel = "FILE",
      description =
          "Binary of VictoriaMetrics single node; without it the command says how to build "
              + "one.")
  private Path binary;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "unkeyed",
      description =
          "Workload, as of ./rondo bench ingest, in the format native or graphite (default: "
              + "${DEFAULT-VALUE}).")
  private String profile;

  @Mixin private SizeOptions size;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "50",
      description = "Runs of each query (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(names = "--no-verify", description = "Do not compare what Rondo stored with the model.")
  private boolean unverified;

  @Mixin private Timing timing;

  /** Measures a Rondo that it starts. */
  public PeersCommand() {
    this(Rondo::start);
  }

  PeersCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    Workload workload = size.of(workload(profile));
    check(workload);
    String machine = Machine.line();
    var progress = new Progress();
    Figures rondo;
    try (Rondo started = start(workload, "", progress)) {
      rondo = RondoRun.measure(started, workload, timing, !unverified, runs, progress);
    }
    Figures victoria;
    String version;
    try (VictoriaMetrics started = VictoriaMetrics.start(binary)) {
      version = started.version();
      victoria = new VictoriaRun(started, workload, timing, runs).measure(progress);
    }
    progress.done();
    List<Figures> stores = List.of(rondo, victoria);
    print(
        Map.of("workload", workload, "victoriaMetrics", version, "stores", stores),
        () -> {
          System.out.println(machine + "; VictoriaMetrics " + version);
          System.out.printf("%s; measured for %d s%n%n", workload, timing.measured());
          PeersTable.lines(stores).forEach(System.out::println);
        });
    return isClean(rondo.verified()) ? 0 : 1;
  }

  private void check(Workload workload) {
    require(
        PATHS.contains(workload.format()),
        "--profile: VictoriaMetrics gets Graphite lines, but the series of %s have tags; give a profile of the formats %s"
            .formatted(profile, String.join(" and ", PATHS)));
    requireSeries(workload.series());
    requireInterval(workload.intervalSeconds());
    timing.check();
    requireAtLeast("--runs", runs, 1);
    require(binary != null, HOW_TO_BUILD);
    require(
        Files.isRegularFile(binary) && Files.isExecutable(binary),
        "--victoria-metrics: " + binary + " is not an executable file");
  }
}
