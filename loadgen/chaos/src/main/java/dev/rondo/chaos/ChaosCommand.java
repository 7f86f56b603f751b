package dev.rondo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.chaos.alerts.AlertFault;
import dev.rondo.chaos.alerts.AlertOutcome;
import dev.rondo.chaos.alerts.AlertTrial;
import dev.rondo.chaos.fault.PolicyVersions;
import dev.rondo.chaos.fault.RondoUnderTest;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Clocks;
import dev.rondo.chaos.part.Part;
import dev.rondo.chaos.part.Release;
import dev.rondo.harness.RondoCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command and its options. */
@Command(
    name = "chaos",
    abbreviateSynopsis = true,
    description = {
      "Injects faults under load, and verifies what is stored.",
      "",
      "Starts a separate Rondo with two instances of the topology, sends it a planned load, "
          + "injects faults into its parts, and finally compares every slot with a model (./rondo "
          + "verify)."
    },
    footer = {
      "Faults of a scenario:",
      "  all, pairs, broker, topology, connect, postgres, api",
      "            kill (SIGKILL): each part alone and pairs; pairs only; only that part.",
      "  brokers   three brokers: each is killed alone; one is stopped and stays away, and one is frozen,",
      "            for longer than the session timeouts.",
      "  rebalance an instance of the topology leaves and rejoins, 20 times; points have no keys.",
      "  freeze    Connect workers and instances of the topology are stopped (SIGSTOP) for longer than",
      "            their session timeouts; broker and PostgreSQL for less.",
      "  clocks    one part after the other starts with a clock that is an hour ahead or behind, is killed",
      "            and starts again; the clock is set right while it runs; the clocks of backfills and",
      "            of live replays are wrong, too; needs libfaketime.",
      "  skew      hosts have wrong clocks: a backlog with the senders' times, then live points, beside",
      "            senders that were offline; topics with CreateTime and LogAppendTime, no keys.",
      "  backlog   only such a backlog.",
      "  grow      adds partitions to a source topic, and adds source topics.",
      "  topics    deletes source topics and creates them again, at once or later, deletes records before",
      "            they are read, adds partitions and topics.",
      "  restore   a server without the newest rows takes the place of PostgreSQL, in turn: a restore to a",
      "            point in time, a replica that was behind, a subscriber of logical replication, a new",
      "            server with a dump; /render is asked meanwhile by name, pattern and tags.",
      "  roll      stops and starts one part after the other; with --other-version from there, and back.",
      "  explode   some senders use a new label value in every point.",
      "  replay-live  PostgreSQL forgets slots, which backfills fill, and gets wrong ones, which live",
      "            replays overwrite; another backfill adds older points; any part and the jobs are",
      "            killed; the policies get an archive more, and less.",
      "  policies  twenty changes of the policies: archives added, removed and resized, xff, step,",
      "            heartbeat and reorder window changed, policies renamed, divided, united and rolled back;",
      "            parts are killed between two and while one is taken. Runs alone, with its own policies.",
      "  none      no faults, for comparison.",
      "",
      "The supervisor of ./rondo up restarts broker, topology, Connect, PostgreSQL and query API after"
          + " a second, later if they end repeatedly within a minute. The next fault waits until all"
          + " parts answer again.",
      "",
      "Exit code as of ./rondo verify: 0: no differences; 1: differences, or a part or the load"
          + " generator failed; 2: wrong usage. After a failure the folder with data and logs is kept."
    })
final class ChaosCommand implements Callable<Integer> {
  private static final int MAX_RANDOM_SEED = 1_000_000;
  private static final String ALL_ALERTS = "all";

  /** A load that is ended before. */
  private static final Duration LONG = Duration.ofHours(12);

  private static final int CLUSTER = Part.brokers().size();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "all",
      split = ",",
      converter = ScenarioConverter.class,
      description = "Which faults, see below; several run one after the other (default: all).")
  private List<Scenario> scenarios;

  @Option(
      names = "--alerts",
      arity = "0..1",
      fallbackValue = ALL_ALERTS,
      paramLabel = "NAME[,NAME...]",
      description =
          "Instead of a scenario: inject faults one by one beside a Prometheus with the alerts, in a"
              + " tenth of their times, and compare what fires with what should (default: all).")
  private String alerts;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Duration of load and faults in each scenario (default: 10).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the order of faults and of the values (default: random).")
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
      description = "As for ./rondo loadgen (default: steady).")
  private String shape;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum points per record (default: 1).")
  private int batch;

  @Option(
      names = "--keys",
      paramLabel = "KIND",
      description = "As for ./rondo loadgen; rebalance, skew, backlog, grow: always absent.")
  private String keys;

  @Option(
      names = "--pause",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Maximum pause before the next fault, once all parts are ready; the length is random"
              + " (default: 10).")
  private double pause;

  @Option(
      names = "--faults",
      paramLabel = "N",
      description =
          "Number of faults, spread evenly (default: as many as fit, with pauses; or as listed"
              + " below).")
  private Integer faults;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      description =
          "1: the broker of ./rondo up; 3: a cluster, for any scenario (default: 1; brokers: 3).")
  private Integer brokers;

  @Option(
      names = "--frozen",
      paramLabel = "SECONDS",
      defaultValue = "45",
      description =
          "freeze, brokers: maximum time that a part is frozen or away (default: 45; at least 13).")
  private double frozen;

  @Option(
      names = "--clock-skew",
      paramLabel = "SPAN",
      defaultValue = "60s",
      description = "skew, backlog: maximum clock error (default: 60s).")
  private String clockSkew;

  @Option(
      names = "--timestamp-types",
      paramLabel = "TYPE[,TYPE]",
      split = ",",
      defaultValue = "create,append",
      description =
          "skew, backlog: one topic per type, each with a share of the points (default: both).")
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
      description = "roll: another built clone of Rondo, from which parts are replaced.")
  private Path otherVersion;

  @Option(
      names = "--release",
      paramLabel = "DIR",
      description =
          "Folder of ./rondo dist: topology, sink and query API run from its files, not from this"
              + " clone.")
  private Path release;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description =
          "How long to wait for correct slots once everything is consumed (default: 180).")
  private int wait;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description = "Policies (default: those of ./rondo up; explode: also one with few series).")
  private Path policies;

  @Option(
      names = "--sources",
      paramLabel = "FILE",
      description =
          "Topics to read, and how; keyed sources need no merge across partitions"
              + " (default: as ./rondo up, plus the topics of the scenario).")
  private Path sources;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "Prefix of everything on the cluster, as of ./rondo up (default: rondo).")
  private String prefix;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder, missing or empty (default: a new temporary folder).")
  private Path dir;

  @Option(names = "--keep", description = "Keep this Rondo running afterwards, to inspect it.")
  private boolean isKept;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean isJson;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException, SQLException {
    check();
    long chosen = seed == null ? new SecureRandom().nextInt(MAX_RANDOM_SEED) : seed;
    RondoCli cli = cli(folder());
    if (alerts != null) {
      return tryAlerts(cli, chosen);
    }
    log("%s, seed %d, in %s".formatted(labels(), chosen, cli.dir()));
    List<Report> reports = new ArrayList<>();
    boolean isGood;
    try (var rondo =
        RondoUnderTest.start(cli, upOptions(), scenarios, load(chosen), otherVersion, brokers())) {
      log("all parts are ready");
      for (Scenario scenario : scenarios) {
        Outcome outcome = new Trial(rondo, scenario, settings(chosen), this::log).call();
        reports.add(new Report(chosen, outcome));
      }
      isGood = reports.stream().allMatch(report -> report.outcome().isGood());
      if (isKept) {
        rondo.local().leave();
      } else if (isGood) {
        rondo.removeAtEnd();
      }
    }
    print(reports, isGood && !isKept ? null : cli.dir());
    return isGood ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Integer tryAlerts(RondoCli cli, long chosen)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    log("alerts, seed %d, in %s".formatted(chosen, cli.dir()));
    Files.writeString(cli.dir().resolve("policies.yaml"), AlertTrial.policies());
    List<String> options = new ArrayList<>(upOptions());
    options.add("--policies=" + cli.dir().resolve("policies.yaml"));
    LoadOptions load = load(chosen, (double) LONG.toSeconds());
    try (var rondo =
        RondoUnderTest.start(cli, options, List.of(Scenario.NONE), load, null, brokers())) {
      log("all parts are ready");
      var outcomes =
          new AlertTrial(rondo, new Loads(cli, "alerts", load), this::log).call(faultsOfAlerts());
      boolean isGood = outcomes.stream().allMatch(AlertOutcome::isGood);
      if (isGood) {
        rondo.removeAtEnd();
      }
      List<String> lines = new ArrayList<>(AlertOutcome.table(outcomes));
      if (!isGood) {
        lines.add("data and logs: " + cli.dir());
      }
      lines.forEach(spec.commandLine().getOut()::println);
      spec.commandLine().getOut().flush();
      return isGood ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private List<AlertFault> faultsOfAlerts() {
    return alerts.equals(ALL_ALERTS)
        ? List.of(AlertFault.values())
        : Stream.of(alerts.split(",")).map(AlertFault::of).toList();
  }

  private RondoCli cli(Path data) throws IOException {
    RondoCli ofClone = RondoCli.forDir(data);
    if (release == null) {
      return ofClone;
    }
    log("installing the release in " + release);
    return new RondoCli(Release.in(release).install(ofClone.root(), data.resolve("release")), data);
  }

  private int brokers() {
    return brokers != null ? brokers : scenarios.contains(Scenario.BROKERS) ? CLUSTER : 1;
  }

  private void log(String line) {
    spec.commandLine().getErr().println("chaos: " + line);
  }

  private String labels() {
    return scenarios.stream().map(Scenario::label).collect(Collectors.joining(", "));
  }

  private LoadOptions load(long chosen) {
    return load(chosen, minutes * 60);
  }

  private LoadOptions load(long chosen, double seconds) {
    return new LoadOptions(
        chosen, rate, series, seconds, shape, batch, keys, clockSkew, timestampTypes, partitions);
  }

  private Trial.Settings settings(long chosen) {
    return new Trial.Settings(
        load(chosen), (long) (pause * 1000), (long) (frozen * 1000), faults, wait);
  }

  /** With --json one object for a single scenario, else an array of them. */
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

  private void check() throws IOException {
    if (!(minutes > 0)) {
      throw misuse("--minutes is %s, not greater than 0".formatted(minutes));
    }
    if (!(rate > 0)) {
      throw misuse("--rate is %s, not greater than 0".formatted(rate));
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
    if (brokers() != 1 && brokers() != CLUSTER) {
      throw misuse("--brokers is %d, not 1 or %d".formatted(brokers(), CLUSTER));
    }
    if (scenarios.contains(Scenario.BROKERS) && brokers() != CLUSTER) {
      throw misuse("--brokers: the scenario brokers needs %d".formatted(CLUSTER));
    }
    if (isKept && brokers() != 1) {
      throw misuse("--keep: the %d brokers end with chaos".formatted(brokers()));
    }
    if (scenarios.contains(Scenario.POLICIES) && (scenarios.size() > 1 || policies != null)) {
      throw misuse(
          "--scenario: policies changes its own policies; run it alone, without --policies");
    }
    if (scenarios.contains(Scenario.POLICIES)
        && series > rate * PolicyVersions.LONGEST_INTERVAL_S) {
      throw misuse(
          "--series, --rate: policies needs a point of each series every %d s; %d series at %s points/s send one every %.0f s"
              .formatted(PolicyVersions.LONGEST_INTERVAL_S, series, rate, series / rate));
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
    checkAlerts();
    checkClocks();
    checkRelease();
    checkReadable("--policies", policies);
    checkReadable("--sources", sources);
    if (dir != null && Files.exists(dir.resolve("rondo.json"))) {
      throw misuse("--dir: %s already contains a Rondo; choose a new folder".formatted(dir));
    }
  }

  private void checkAlerts() {
    if (alerts == null) {
      return;
    }
    try {
      faultsOfAlerts();
    } catch (IllegalArgumentException e) {
      throw misuse("--alerts: " + e.getMessage());
    }
    if (policies != null) {
      throw misuse("--alerts has its own policies; run it without --policies");
    }
    if (!AlertTrial.missing().isEmpty()) {
      throw misuse(
          "--alerts needs %s; apt install prometheus prometheus-alertmanager"
              .formatted(String.join(" and ", AlertTrial.missing())));
    }
  }

  private void checkClocks() throws IOException {
    if (!scenarios.contains(Scenario.CLOCKS)) {
      return;
    }
    if (brokers() != 1) {
      throw misuse("--brokers: clocks sets the clock of the broker of ./rondo up; give it 1");
    }
    if (!Clocks.areThere()) {
      throw misuse("--scenario: clocks needs libfaketime; apt install faketime");
    }
  }

  private void checkRelease() {
    if (release != null) {
      try {
        Release.in(release);
      } catch (IOException e) {
        throw misuse("--release: " + e.getMessage());
      }
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
    if (prefix != null) {
      options.add("--prefix=" + prefix);
    }
    return options;
  }

  /** Parses the names that reports use. */
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
