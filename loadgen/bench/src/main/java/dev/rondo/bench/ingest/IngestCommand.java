package dev.rondo.bench.ingest;

import dev.rondo.bench.Machine;
import dev.rondo.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a point costs a complete Rondo on this machine, by workload, and which rate it sustains. */
@Command(
    name = "ingest",
    description = {
      "Measures the cost of a point in each part of a complete Rondo.",
      "",
      "Reports whether the rate is sustained, with the load generator on the same machine. "
          + "Each workload begins with an empty Rondo; what is stored is compared with a model."
    },
    footer = {
      "Profiles, with 600000 series every 10 s unless the profile has another number:",
      "  keyed         native, keyed by series, one point a record",
      "  unkeyed       Graphite lines without keys, one a record",
      "  relay         Graphite lines without keys, 100 of a machine a record",
      "  telegraf      Influx lines of ten fields without keys, ten lines a record",
      "  otlp          OTLP without keys, 500 points a record",
      "  batch         native, keyed by machine, 100 points a record",
      "  second        as keyed, 300000 series every second",
      "  second-batch  as batch, 300000 series every second"
    })
public final class IngestCommand extends RondoCommand {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "keyed,unkeyed,relay,telegraf,otlp,batch",
      description = "Workloads to measure, one after the other (default: ${DEFAULT-VALUE}).")
  private List<String> profiles;

  @Mixin private SizeOptions size;

  @Option(
      names = "--rates",
      paramLabel = "N",
      split = ",",
      description =
          "Points per second to try instead, in increasing order, until one is not "
              + "sustained: the lag grows, or is above 5 s at the end.")
  private List<Double> rates;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Format of the records, as for ./rondo loadgen (default: the profile's).")
  private String format;

  @Option(
      names = "--keys",
      paramLabel = "KEYS",
      description = "Record keys, as for ./rondo loadgen (default: the profile's).")
  private String keys;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Maximum points per record (default: the profile's).")
  private Integer batch;

  @Option(
      names = "--keyed",
      paramLabel = "true|false",
      arity = "1",
      description = "Whether the source is keyed (default: the profile's).")
  private Boolean keyed;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "More settings of the topology, as for ./rondo up.")
  private Path topology;

  @Option(names = "--no-verify", description = "Do not compare what is stored with the model.")
  private boolean unverified;

  @Mixin private Timing timing;

  /** Starts a new Rondo for each workload and rate. */
  public IngestCommand() {
    this(Rondo::start);
  }

  IngestCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    check();
    List<Workload> workloads = workloads();
    String topologySettings = topology == null ? "" : Files.readString(topology);
    var results = new ArrayList<Step.Result>();
    var progress = new Progress();
    String machine = Machine.line();
    for (Workload workload : workloads) {
      measure(workload, topologySettings, results, progress);
    }
    progress.done();
    print(
        results,
        () -> {
          System.out.println(machine);
          IngestTable.print(results);
        });
    return results.stream().allMatch(result -> isClean(result.verified())) ? 0 : 1;
  }

  /** Measures one rate after the other, until one is not sustained. */
  private void measure(
      Workload workload, String topologySettings, List<Step.Result> results, Progress progress)
      throws IOException, InterruptedException, SQLException {
    for (double rate : rates == null ? List.of(workload.rate()) : new TreeSet<>(rates)) {
      try (Rondo rondo = start(workload, topologySettings, progress)) {
        results.add(timing.step(workload.atRate(rate)).run(rondo, !unverified, progress));
      }
      if (!results.get(results.size() - 1).isSustained()) {
        return;
      }
    }
  }

  private List<Workload> workloads() {
    return profiles.stream().map(name -> changed(workload(name))).toList();
  }

  /** The workload of a profile, with the given options instead. */
  private Workload changed(Workload profile) {
    return size.of(
        new Workload(
            profile.name(),
            format == null ? profile.format() : format,
            keyed == null ? profile.isKeyed() : keyed,
            keys == null ? profile.keys() : keys,
            batch == null ? profile.batch() : batch,
            profile.series(),
            profile.intervalSeconds()));
  }

  private void check() {
    require(
        topology == null || Files.isReadable(topology),
        "--topology: there is no readable file " + topology);
    for (Workload workload : workloads()) {
      requireSeries(workload.series());
      requireInterval(workload.intervalSeconds());
    }
    require(
        !size.haveInterval() || rates == null,
        "--interval and --rates: the rate is the number of series divided by the interval; give one");
    if (batch != null) {
      requireAtLeast("--batch", batch, 1);
    }
    timing.check();
    if (rates != null) {
      rates.forEach(rate -> requireAtLeast("--rates", rate, 1));
    }
  }
}
