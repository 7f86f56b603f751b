package dev.rondo.bench.scale;

import dev.rondo.bench.Machine;
import dev.rondo.bench.Progress;
import dev.rondo.bench.ingest.Rondo;
import dev.rondo.bench.ingest.RondoCommand;
import dev.rondo.bench.ingest.Step;
import dev.rondo.bench.ingest.Timing;
import dev.rondo.bench.ingest.Workload;
import dev.rondo.tools.size.Deployment;
import dev.rondo.tools.size.Sizing;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One instance's share of a deployment through a complete Rondo, beside its prediction. */
@Command(
    name = "scale",
    description = {
      "Measures one instance's share of a large deployment, beside the prediction of ./rondo "
          + "size.",
      "",
      "The share has the deployment's names and partitions, and runs through a complete "
          + "Rondo on this machine."
    },
    footer = {"Exit code 1 if a prediction is off by more than 20 %%."})
public final class ScaleCommand extends RondoCommand {
  /** As many new series are accepted at once by default (new.series.burst), and fit into 1 GB. */
  private static final int MOST_SHARE = 500_000;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "10000000",
      description = "Number of series of the deployment (default: ${DEFAULT-VALUE}).")
  private long series;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Interval between the points of a series (default: ${DEFAULT-VALUE}).")
  private double intervalSeconds;

  @Option(
      names = "--instances",
      paramLabel = "N",
      description =
          "Instances of the deployment (default: as ./rondo size, but with at most 500000 "
              + "series each).")
  private Integer instances;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "unkeyed",
      description =
          "Workload, as of ./rondo bench ingest, with one point a record (default: "
              + "${DEFAULT-VALUE}).")
  private String profile;

  @Mixin private Timing timing;

  /** Measures a Rondo that it starts. */
  public ScaleCommand() {
    this(Rondo::start);
  }

  ScaleCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    check();
    Workload given = workload(profile);
    require(
        given.batch() == 1,
        "--profile: " + profile + " has several points a record: a share has one series a record");
    int chosen = instances == null ? instances(given) : instances;
    int share = (int) (series / chosen);
    require(
        share >= 1 && share <= MOST_SHARE,
        "--instances: one of %d has %d series, which is not 1..%d, what this command accepts"
            .formatted(chosen, share, MOST_SHARE));
    Workload workload = given.with(share, intervalSeconds).oneOf(chosen);
    Sizing predicted = Sizing.of(share(given, share), 1);
    String machine = Machine.line();
    var progress = new Progress();
    try (Rondo rondo = start(workload, "", progress)) {
      Step.Result result = timing.step(workload).run(rondo, false, progress);
      List<Comparison> compared = compare(rondo, predicted, result);
      progress.done();
      print(
          Map.of("instances", chosen, "result", result, "compared", compared),
          () -> print(machine, chosen, workload, result, compared));
      return result.isSustained() && compared.stream().allMatch(Comparison::isGood) ? 0 : 1;
    }
  }

  /** The deployment as {@code ./rondo size} sees it, with shares that this command accepts. */
  private int instances(Workload given) {
    int needed =
        Sizing.of(
                Deployment.of(series, intervalSeconds, archives(), given.isKeyed(), given.batch()))
            .topology()
            .instances();
    return (int) Math.max(needed, (series + MOST_SHARE - 1) / MOST_SHARE);
  }

  /** A deployment with the share of one instance, on one broker. */
  private Deployment share(Workload given, int share) {
    Deployment all =
        Deployment.of(share, intervalSeconds, archives(), given.isKeyed(), given.batch());
    return new Deployment(
        share,
        intervalSeconds,
        all.archives(),
        all.isKeyed(),
        all.batch(),
        1,
        all.retentionSeconds(),
        all.busy(),
        all.instanceCores(),
        all.instanceHeapBytes(),
        all.postgresCores(),
        all.postgresDiskBytes());
  }

  private static List<Archive> archives() {
    return PoliciesFile.parse(Policies.DEFAULT_YAML).inOrder().get(0).archives();
  }

  private static List<Comparison> compare(Rondo rondo, Sizing predicted, Step.Result result)
      throws SQLException {
    double cores = result.pointsPerSecond() / 1e6; // of CPU seconds per million points
    Map<String, Double> cpu = result.cpuSeconds();
    return List.of(
        new Comparison("points", "1/s", predicted.points(), result.pointsPerSecond()),
        new Comparison(
            "CPU of the topology",
            "cores",
            predicted.topology().cores(),
            cores * cpu.get("topology")),
        new Comparison(
            "CPU of the broker", "cores", predicted.broker().cores(), cores * cpu.get("kafka")),
        new Comparison(
            "CPU of Connect", "cores", predicted.connect().cores(), cores * cpu.get("connect")),
        new Comparison(
            "CPU of PostgreSQL",
            "cores",
            predicted.postgres().cores(),
            cores * cpu.get("postgres")),
        new Comparison(
            "broker's disk",
            "MB/s",
            predicted.broker().diskBytesPerSecond() / 1e6,
            result.kafkaBytes() * result.pointsPerSecond() / 1e6),
        new Comparison(
            "WAL of PostgreSQL",
            "MB/s",
            predicted.postgres().walBytesPerSecond() / 1e6,
            result.walBytes() * result.pointsPerSecond() / 1e6),
        new Comparison(
            "disk of PostgreSQL, full",
            "GB",
            predicted.postgres().diskBytes() / 1e9,
            fullBytes(rondo) / 1e9));
  }

  /**
   * Disk of full archives, from the size of the rows so far: rows are preallocated, and all of one
   * width have the same size. An archive of hours has no row yet.
   */
  private static double fullBytes(Rondo rondo) throws SQLException {
    try (Connection connection = rondo.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select pg_total_relation_size('ts') / (select sum(cardinality(dp)) from ts)::float8
                         * %d * (select count(*) from ds)
                       + pg_total_relation_size('ds') + pg_total_relation_size('branch')
                       + pg_total_relation_size('tag_value')
                """
                    .formatted(
                        archives().stream().mapToLong(archive -> archive.shape().size()).sum()))) {
      row.next();
      return row.getDouble(1);
    }
  }

  private void print(
      String machine,
      int chosen,
      Workload workload,
      Step.Result result,
      List<Comparison> compared) {
    System.out.println(machine);
    System.out.printf(
        "one of %,d instances of %,d series every %s s%n%s, %s%n%n",
        chosen,
        series,
        intervalSeconds,
        workload,
        result.isSustained() ? "sustained" : "not sustained");
    System.out.printf("%-34s %12s %12s %13s%n", "", "predicted", "measured", "difference");
    compared.forEach(comparison -> System.out.println(comparison.line()));
    System.out.println();
    result
        .residentMb()
        .forEach(
            (part, mb) ->
                System.out.printf("memory of %-24s %12s MB%n", part, "%,d".formatted(mb)));
    System.out.printf(
        "slot's end to readable             p50 %,.0f ms, p99 %,.0f ms%n",
        result.visibleP50Ms(), result.visibleP99Ms());
    long good = compared.stream().filter(Comparison::isGood).count();
    System.out.printf(
        "%d of %d predictions are within %.0f %%%n",
        good, compared.size(), Comparison.TOLERANCE_PERCENT);
  }

  private void check() {
    timing.check();
    requireBetween("--series", (double) series, 1, 100_000_000);
    requireInterval(intervalSeconds);
    if (instances != null) {
      requireBetween("--instances", instances, 1, 10_000);
    }
  }
}
