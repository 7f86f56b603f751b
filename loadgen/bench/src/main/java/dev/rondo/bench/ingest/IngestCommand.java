package dev.rondo.bench.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import picocli.CommandLine.Option;

/** What a point costs a complete Rondo on this machine, by workload, and which rate it sustains. */
@Command(name = "ingest", sortOptions = false)
public final class IngestCommand extends WorkloadCommand {
  @Option(
      names = "--profile",
      paramLabel = "NAME,…",
      split = ",",
      defaultValue = "keyed,unkeyed,relay,telegraf,otlp,batch")
  private List<String> profiles;

  @Option(names = "--series", paramLabel = "N")
  private Integer series;

  @Option(names = "--interval", paramLabel = "SECONDS")
  private Double intervalSeconds;

  @Option(names = "--rates", paramLabel = "N,…", split = ",")
  private List<Double> rates;

  @Option(names = "--format", paramLabel = "FORMAT")
  private String format;

  @Option(names = "--keys", paramLabel = "KEYS")
  private String keys;

  @Option(names = "--batch", paramLabel = "N")
  private Integer batch;

  @Option(names = "--keyed", paramLabel = "true|false", arity = "1")
  private Boolean keyed;

  @Option(names = "--topology", paramLabel = "FILE")
  private Path topology;

  @Option(names = "--no-verify")
  private boolean unverified;

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
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(results));
    } else {
      System.out.println(machine);
      IngestTable.print(results);
    }
    return results.stream().allMatch(r -> r.verified() == null || r.verified().equals("clean"))
        ? 0
        : 1;
  }

  /** Measures one rate after the other, until one is not sustained. */
  private void measure(
      Workload workload, String topologySettings, List<Step.Result> results, Progress progress)
      throws IOException, InterruptedException, SQLException {
    for (double rate : rates == null ? List.of(workload.rate()) : new TreeSet<>(rates)) {
      progress.show("starting Rondo", 0, 1);
      try (Rondo rondo = source.start(workload, topologySettings)) {
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
    return new Workload(
            profile.name(),
            format == null ? profile.format() : format,
            keyed == null ? profile.isKeyed() : keyed,
            keys == null ? profile.keys() : keys,
            batch == null ? profile.batch() : batch,
            profile.series(),
            profile.intervalSeconds())
        .with(series, intervalSeconds);
  }

  private void check() {
    require(
        topology == null || Files.isReadable(topology),
        "--topology: there is no readable file " + topology);
    require(
        series == null || (series >= 1 && series <= 10_000_000),
        "--series: " + series + " is not 1..10000000");
    require(
        intervalSeconds == null || (intervalSeconds >= 0.1 && intervalSeconds <= 3600),
        "--interval: " + intervalSeconds + " is not 0.1..3600");
    require(
        intervalSeconds == null || rates == null,
        "--interval and --rates: the rate is the number of series divided by the interval; give one");
    require(batch == null || batch >= 1, "--batch: " + batch + " is less than 1");
    timing.check();
    if (rates != null) {
      rates.forEach(rate -> require(rate >= 1, "--rates: " + rate + " is less than 1"));
    }
  }
}
