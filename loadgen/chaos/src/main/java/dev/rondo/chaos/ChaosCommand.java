package dev.rondo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.chaos.fault.RondoUnderTest;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.harness.Door;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options, and what comes of them. */
@Command(
    name = "chaos",
    sortOptions = false,
    customSynopsis = {
      "./rondo chaos [--scenario=NAME[,NAME]] [--minutes=N] [--seed=N] [--rate=N] [--series=N]",
      "                     [--shape=SHAPE] [--batch=N] [--pause=SECONDS] [--faults=N] ..."
    },
    description =
        "%nStarts a separate Rondo with two instances of the topology, sends it a planned"
            + " load, injects faults into its parts meanwhile, and at the end compares every "
            + "slot with the expected one (./rondo verify).%n",
    footer = {
      "",
      "Faults of a scenario:",
      "  all, pairs, broker, topology, connect, postgres, api",
      "            kill (SIGKILL): each alone, and pairs; two at once; that one part.",
      "  rebalance an instance of the topology leaves and returns, 20 times; points have no keys.",
      "  freeze    Connect workers and instances of the topology are frozen (SIGSTOP) for longer than",
      "            their sessions last; broker and PostgreSQL for less.",
      "  skew      host clocks are off: a backlog with the senders' times, then live points, beside senders",
      "            that were offline; topics with CreateTime and with LogAppendTime, no keys.",
      "  backlog   only such a backlog.",
      "  grow      source topics get more partitions, and more topics are created.",
      "  restore   PostgreSQL is restored from a backup.",
      "  roll      one part after the other is replaced by --other-version and back.",
      "  explode   a label has a new value in each point of some senders.",
      "  none      no faults, for comparison.",
      "",
      "The supervisor of ./rondo up restarts broker, topology, Connect, PostgreSQL and "
          + "query API a second after they have ended, and later the more often they end "
          + "within a minute. The next fault follows when all parts answer again.",
      "",
      "Exit code as of ./rondo verify: 0 when nothing differs, 1 when something does, "
          + "or when a part or the load generator failed, 2 on wrong usage. On a difference "
          + "or failure the folder with the data and all logs is kept."
    })
final class ChaosCommand implements Callable<Integer> {
  private static final int MOST_RANDOM_SEED = 1_000_000;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "all",
      split = ",",
      converter = ScenarioConverter.class,
      description = "Which faults, see below; several run one after the other (default: all).")
  private List<Scenario> scenarios;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Duration of load and faults of each scenario (default: 10).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same order and values (default: a new one).")
  private Long seed;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Points per second (default: 2000).")
  private double rate;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of series (default: 10000).")
  private int series;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "steady",
      description = "Shape of ./rondo loadgen (default: steady).")
  private String shape;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum points per record (default: 1).")
  private int batch;

  @Option(
      names = "--pause",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Maximum time from all parts being ready to the next fault; chosen at random up "
              + "to it (default: 10).")
  private double pause;

  @Option(
      names = "--faults",
      paramLabel = "N",
      description =
          "Number of faults, evenly spread over the time (default: as many as fit, with "
              + "pauses; or as listed below).")
  private Integer faults;

  @Option(
      names = "--frozen",
      paramLabel = "SECONDS",
      defaultValue = "45",
      description = "freeze: maximum time that a part is frozen (default: 45; at least 13).")
  private double frozen;

  @Option(
      names = "--clock-skew",
      paramLabel = "SPAN",
      defaultValue = "60s",
      description = "skew, backlog: maximum error of a clock (default: 60s).")
  private String clockSkew;

  @Option(
      names = "--timestamp-types",
      paramLabel = "TYPE[,TYPE]",
      split = ",",
      defaultValue = "create,append",
      description =
          "skew, backlog: one topic of each type, with a share of the points (default: both).")
  private List<String> timestampTypes;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "16",
      description = "skew, backlog, grow: partitions of created topics (default: 16).")
  private int partitions;

  @Option(
      names = "--other-version",
      paramLabel = "DIR",
      description = "roll: a built clone of Rondo to replace parts from.")
  private Path otherVersion;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description =
          "Maximum time for slots to become correct once everything is consumed (default: 180).")
  private int wait;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description = "Policies (default: those of ./rondo up; explode: another with few series).")
  private Path policies;

  @Option(
      names = "--sources",
      paramLabel = "FILE",
      description =
          "Topics to read, and how; a source declared keyed is not merged (default: as "
              + "./rondo up, plus the topics of the scenario).")
  private Path sources;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder, new or empty (default: a new one in the temporary folder).")
  private Path dir;

  @Option(names = "--keep", description = "Keep this Rondo running, to inspect it.")
  private boolean isKept;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean isJson;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    check();
    long chosen = seed == null ? new SecureRandom().nextInt(MOST_RANDOM_SEED) : seed;
    var door = Door.to(folder());
    tell("%s, seed %d, in %s".formatted(labels(), chosen, door.dir()));
    List<Report> reports = new ArrayList<>();
    boolean isGood;
    try (var rondo =
        RondoUnderTest.start(door, upOptions(), scenarios, load(chosen), otherVersion)) {
      tell("all parts are ready");
      for (Scenario scenario : scenarios) {
        Outcome outcome = new Trial(rondo, scenario, settings(chosen), this::tell).call();
        reports.add(new Report(chosen, outcome));
      }
      isGood = reports.stream().allMatch(report -> report.outcome().isGood());
      if (isKept) {
        rondo.local().leave();
      } else if (isGood) {
        rondo.local().removeAtEnd();
      }
    }
    print(reports, isGood && !isKept ? null : door.dir());
    return isGood ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void tell(String line) {
    spec.commandLine().getErr().println("chaos: " + line);
  }

  private String labels() {
    return scenarios.stream().map(Scenario::label).collect(Collectors.joining(", "));
  }

  private LoadOptions load(long chosen) {
    return new LoadOptions(
        chosen, rate, series, minutes * 60, shape, batch, clockSkew, timestampTypes, partitions);
  }

  private Trial.Settings settings(long chosen) {
    return new Trial.Settings(
        load(chosen), (long) (pause * 1000), (long) (frozen * 1000), faults, wait);
  }

  /** One object of a scenario alone; of several, an array of theirs. */
  private void print(List<Report> reports, Path left) {
    var lines = new ArrayList<String>();
    if (isJson) {
      ObjectNode all = reports.get(0).json();
      if (reports.size() > 1) {
        all = new ObjectMapper().createObjectNode();
        all.putArray("scenarios").addAll(reports.stream().map(Report::json).toList());
      }
      lines.add(all.put("dir", left == null ? null : left.toString()).toPrettyString());
    } else {
      reports.forEach(report -> lines.addAll(report.text()));
      if (left != null) {
        lines.add("data and logs: " + left);
      }
    }
    lines.forEach(spec.commandLine().getOut()::println);
    spec.commandLine().getOut().flush();
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
    if (faults != null && faults < 1) {
      throw misuse("--faults is %d, less than 1".formatted(faults));
    }
    if (otherVersion != null
        && !Files.isDirectory(otherVersion.resolve("topology/streams/target/lib"))) {
      throw misuse("--other-version: nothing is built in %s".formatted(otherVersion));
    }
    for (String type : timestampTypes) {
      if (!SourceTopics.CONFIGS.containsKey(type)) {
        throw misuse("--timestamp-types: '%s' is not create or append".formatted(type));
      }
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

  /** Names as reports have them. */
  static final class ScenarioConverter implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String label) {
      try {
        return Scenario.of(label);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
