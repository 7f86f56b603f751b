package dev.rondo.bench.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a point costs a complete Rondo on this machine, by workload, and which rate it sustains. */
@Command(name = "ingest", sortOptions = false)
public final class IngestCommand implements Callable<Integer> {
  private final Rondo.Source source;

  @Spec private CommandSpec spec;

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

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "60")
  private int warmUpSeconds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "60")
  private int seconds;

  @Option(names = "--no-verify")
  private boolean unverified;

  @Option(names = "--json")
  private boolean json;

  /** Starts a new Rondo for each workload and rate. */
  public IngestCommand() {
    this(Rondo::start);
  }

  IngestCommand(Rondo.Source source) {
    this.source = source;
  }

  @Override
  public Integer call() throws Exception {
    check();
    List<Workload> workloads = workloads();
    var results = new ArrayList<Step.Result>();
    var progress = new Progress();
    String machine =
        "%d cores, load %.1f; OpenJDK %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version());
    try {
      for (Workload workload : workloads) {
        measure(workload, results, progress);
      }
    } catch (CommandFailedException e) {
      if (!OpenAtExit.isExiting()) { // otherwise the failure is a result of the shutdown
        System.err.println("rondo: " + e.getMessage());
      }
      return 1;
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
  private void measure(Workload workload, List<Step.Result> results, Progress progress)
      throws IOException, InterruptedException, SQLException {
    for (double rate : rates == null ? List.of(workload.rate()) : new TreeSet<>(rates)) {
      progress.show("starting Rondo", 0, 1);
      try (Rondo rondo = source.start(workload)) {
        var step = new Step(workload.atRate(rate), warmUpSeconds, seconds);
        results.add(step.run(rondo, !unverified, progress));
      }
      if (!results.get(results.size() - 1).isSustained()) {
        return;
      }
    }
  }

  private List<Workload> workloads() {
    try {
      return profiles.stream().map(name -> changed(Profile.of(name).workload())).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--profile: " + e.getMessage());
    }
  }

  /** The workload of a profile, with the given options instead. */
  private Workload changed(Workload profile) {
    return new Workload(
        profile.name(),
        format == null ? profile.format() : format,
        keyed == null ? profile.isKeyed() : keyed,
        keys == null ? profile.keys() : keys,
        batch == null ? profile.batch() : batch,
        series == null ? profile.series() : series,
        intervalSeconds == null ? profile.intervalSeconds() : intervalSeconds);
  }

  private void check() {
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
    require(seconds >= 10, "--seconds: " + seconds + " is less than 10");
    require(warmUpSeconds >= 1, "--warm-up: " + warmUpSeconds + " is less than 1");
    if (rates != null) {
      rates.forEach(rate -> require(rate >= 1, "--rates: " + rate + " is less than 1"));
    }
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
