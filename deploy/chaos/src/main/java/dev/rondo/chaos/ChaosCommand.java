package dev.rondo.chaos;

import dev.rondo.door.Door;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options, and what comes of them. */
@Command(
    name = "chaos",
    sortOptions = false,
    customSynopsis = {
      "./rondo chaos [--scenario=NAME] [--minutes=N] [--seed=N] [--rate=N] [--series=N]",
      "                     [--shape=SHAPE] [--batch=N] [--pause=SECONDS] [--policies=FILE]",
      "                     [--sources=FILE] [--dir=DIR] [--keep] [--json]"
    },
    description =
        "%nStarts a Rondo of its own with two instances of the topology, sends it a planned load, kills"
            + " its parts (SIGKILL) meanwhile, and compares in the end every slot with what should be"
            + " (./rondo verify).%n",
    footer = {
      "",
      "Broker, topology, Connect, PostgreSQL and query API are started again by the supervisor of"
          + " ./rondo up: a second after they have ended, later the more often they end within a"
          + " minute. The next kill comes when all parts have answered again.",
      "",
      "Exit code that of ./rondo verify: 0 when nothing differs, 1 when something does, or when a"
          + " part or the load generator failed, 2 for wrong use. Where something is wrong the folder"
          + " with the data and all logs is left."
    })
final class ChaosCommand implements Callable<Integer> {
  private static final int MOST_RANDOM_SEED = 1_000_000;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "all",
      description = {
        "What is killed: broker, topology (one of its two instances), connect, postgres, api; pairs:"
            + " two at once; all: each alone, and pairs; none (default: all)."
      })
  private Scenario scenario;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long points are sent and parts are killed (default: 10).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed, the same order and the same values (default: another one).")
  private Long seed;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Points a second (default: 2000).")
  private double rate;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many series (default: 10000).")
  private int series;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "steady",
      description = "As of ./rondo loadgen (default: steady).")
  private String shape;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Most points of a record (default: 1).")
  private int batch;

  @Option(
      names = "--pause",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Most time from all parts being ready to the next kill; it is anything up to that"
              + " (default: 10).")
  private double pause;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description = "Policies (default: those of ./rondo up).")
  private Path policies;

  @Option(
      names = "--sources",
      paramLabel = "FILE",
      description =
          "Topics to read, and how: with points said to be keyed they need not wait for each other"
              + " (default: as ./rondo up).")
  private Path sources;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Data folder, not there yet or empty (default: a new one in the temporary folder).")
  private Path dir;

  @Option(names = "--keep", description = "Let this Rondo run on, to look at it.")
  private boolean isKept;

  @Option(names = "--json", description = "One JSON object at the end, for programs.")
  private boolean isJson;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    check();
    long chosen = seed == null ? new SecureRandom().nextInt(MOST_RANDOM_SEED) : seed;
    var door = Door.to(folder());
    var run =
        new Run(
            door,
            new Schedule(scenario, (long) (pause * 1000), chosen),
            upOptions(),
            loadOptions(chosen),
            line -> spec.commandLine().getErr().println("chaos: " + line));
    run.tell("scenario %s, seed %d, in %s".formatted(scenario.label(), chosen, door.dir()));
    Report report = new Report(scenario.label(), chosen, run.call(isKept));
    spec.commandLine().getOut().println(isJson ? report.json().toPrettyString() : report.text());
    spec.commandLine().getOut().flush();
    return report.exitCode();
  }

  private void check() {
    if (!(minutes > 0)) {
      throw misuse("--minutes is %s, not more than 0".formatted(minutes));
    }
    if (!(rate > 0)) {
      throw misuse("--rate is %s, not more than 0".formatted(rate));
    }
    if (series < 1) {
      throw misuse("--series is %d, less than 1".formatted(series));
    }
    if (!(pause >= 0)) {
      throw misuse("--pause is %s s, less than 0".formatted(pause));
    }
    checkReadable("--policies", policies);
    checkReadable("--sources", sources);
    if (dir != null && Files.exists(dir.resolve("rondo.json"))) {
      throw misuse("--dir: there is a Rondo in %s already; name a new folder".formatted(dir));
    }
  }

  private void checkReadable(String option, Path file) {
    if (file != null && !Files.isReadable(file)) {
      throw misuse("%s: %s cannot be read".formatted(option, file));
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Path folder() throws IOException {
    return dir == null
        ? Files.createTempDirectory("rondo-chaos-")
        : Files.createDirectories(dir.toAbsolutePath().normalize());
  }

  private List<String> upOptions() {
    List<String> options = new ArrayList<>();
    if (policies != null) {
      options.add("--policies=" + policies.toAbsolutePath());
    }
    if (sources != null) {
      options.add("--sources=" + sources.toAbsolutePath());
    }
    return options;
  }

  private List<String> loadOptions(long chosen) {
    return new ArrayList<>(
        List.of(
            "--seed=" + chosen,
            "--rate=" + rate,
            "--series=" + series,
            "--seconds=" + minutes * 60,
            "--shape=" + shape,
            "--batch=" + batch));
  }
}
