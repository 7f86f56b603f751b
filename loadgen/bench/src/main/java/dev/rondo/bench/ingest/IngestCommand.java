package dev.rondo.bench.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The highest rate of points that a whole Rondo sustains on this machine, and its cost. */
@Command(name = "ingest", sortOptions = false)
public final class IngestCommand implements Callable<Integer> {
  private final Rondo.Source source;

  @Spec private CommandSpec spec;

  @Option(names = "--profile", paramLabel = "PROFILE", defaultValue = "one")
  private Profile profile;

  @Option(names = "--series", paramLabel = "N", defaultValue = "300000")
  private int series;

  @Option(names = "--rates", paramLabel = "N,…", split = ",")
  private List<Double> rates;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "60")
  private int warmUpSeconds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "60")
  private int seconds;

  @Option(names = "--no-verify")
  private boolean unverified;

  @Option(names = "--json")
  private boolean json;

  /** Starts a new Rondo for each rate. */
  public IngestCommand() {
    this(Rondo::start);
  }

  IngestCommand(Rondo.Source source) {
    this.source = source;
  }

  @Override
  public Integer call() throws Exception {
    check();
    var results = new ArrayList<Step.Result>();
    var progress = new Progress();
    String machine =
        "%d cores, load %.1f; OpenJDK %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version());
    try {
      for (double rate : new TreeSet<>(rates())) {
        progress.show("starting Rondo", 0, 1);
        try (Rondo rondo = source.start()) {
          var step = new Step(profile, series, rate, warmUpSeconds, seconds);
          results.add(step.run(rondo, !unverified, progress));
        }
        if (!results.get(results.size() - 1).isSustained()) {
          break;
        }
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

  private List<Double> rates() {
    if (rates != null) {
      return rates;
    }
    return profile == Profile.ONE
        ? List.of(100e3, 150e3, 200e3, 250e3, 300e3)
        : List.of(300e3, 450e3, 600e3, 800e3, 1000e3);
  }

  private void check() {
    require(series >= 1 && series <= 10_000_000, "--series: " + series + " is not 1..10000000");
    require(seconds >= 10, "--seconds: " + seconds + " is less than 10");
    require(warmUpSeconds >= 1, "--warm-up: " + warmUpSeconds + " is less than 1");
    for (double rate : rates()) {
      require(rate >= 1, "--rates: " + rate + " is less than 1");
    }
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
