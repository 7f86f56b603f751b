package dev.rondo.tools.size;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ./rondo size}: needs no running Rondo. */
@Command(
    name = "size",
    description = {
      "Prints the resources that a deployment needs, and its limits.",
      "",
      "Instances, partitions, CPU, memory, disk and network of each part. The limit that is reached"
          + " first comes first."
    },
    footer = {
      "Computed from costs that were measured on one machine (docs/benchmarks), each part "
          + "linear in points and slots; the last lines state the accuracy. ./rondo bench scale "
          + "measures one instance's share, and prints the prediction beside it.",
      "",
      "Exit code 0, or 2 on wrong usage."
    })
public final class SizeCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double GB = 1 << 30;

  @Option(names = "--series", paramLabel = "N", required = true, description = "Number of series.")
  private long series;

  @Option(
      names = "--interval",
      paramLabel = "SPAN",
      defaultValue = "10s",
      converter = SecondsConverter.class,
      description =
          "Interval between the points of a series, such as 500ms or 10s; a number is seconds "
              + "(default: 10s).")
  private Double intervalSeconds;

  @ArgGroup private final Kept kept = new Kept();

  /** At most one of the two. */
  private static final class Kept {
    @Option(
        names = "--archives",
        paramLabel = "ARCHIVE,...",
        hideParamSyntax = true,
        split = ",",
        description = "Archives, as in the policies file (default: 10s:6h,1m:7d,1h:1y).")
    private List<String> archives;

    @Option(
        names = "--policies",
        paramLabel = "FILE",
        description = "Policies file, for the archives of its policy.")
    private Path policies;
  }

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "Policy of all series, if the file has several.")
  private String policy;

  @Option(
      names = "--keyed",
      paramLabel = "true|false",
      arity = "1",
      defaultValue = "false",
      description = "Whether the sources are keyed (default: false).")
  private boolean isKeyed;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Points per record (default: 1).")
  private int batch;

  @Option(
      names = "--replication",
      paramLabel = "N",
      defaultValue = "3",
      description = "Replication factor of all topics (default: 3).")
  private int replication;

  @Option(
      names = "--retention",
      paramLabel = "SPAN",
      defaultValue = "1d",
      converter = SecondsConverter.class,
      description = "Retention of the source topics, for the brokers' disk (default: 1d).")
  private Double retentionSeconds;

  @Option(
      names = "--busy",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description =
          "Share of its cores that a part may use; at 50 it catches up in as much time as it was down (default: 50).")
  private double busyPercent;

  @Option(
      names = "--cores",
      paramLabel = "N",
      defaultValue = "1",
      description = "Cores of an instance of the topology (default: 1).")
  private double cores;

  @Option(
      names = "--heap",
      paramLabel = "GB",
      defaultValue = "2",
      description = "Maximum heap of an instance of the topology (default: 2).")
  private double heapGb;

  @Option(
      names = "--postgres-cores",
      paramLabel = "N",
      defaultValue = "16",
      description = "Cores of PostgreSQL, for its limit (default: 16).")
  private double postgresCores;

  @Option(
      names = "--postgres-disk",
      paramLabel = "TB",
      defaultValue = "8",
      description = "Disk of PostgreSQL, for its limit (default: 8).")
  private double postgresDiskTb;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Deployment deployment = deployment();
    Sizing sizing;
    try {
      sizing = Sizing.of(deployment);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(e.getMessage());
    }
    if (json) {
      System.out.println(
          JSON.writerWithDefaultPrettyPrinter()
              .writeValueAsString(
                  Map.of("deployment", deployment, "needs", sizing, "costs", Coefficients.FILE)));
    } else {
      SizeText.lines(deployment, sizing).forEach(System.out::println);
    }
    return 0;
  }

  private Deployment deployment() {
    within("--series", (double) series, 1, 1e9);
    within("--interval", intervalSeconds, 0.1, 3600);
    within("--retention", retentionSeconds, 60, 10 * 365 * 86_400.0);
    within("--batch", batch, 1, 10_000);
    within("--replication", replication, 1, 9);
    within("--busy", busyPercent, 10, 100);
    within("--cores", cores, 0.5, 128);
    within("--heap", heapGb, 0.25, 64);
    within("--postgres-cores", postgresCores, 1, 1024);
    within("--postgres-disk", postgresDiskTb, 0.01, 1000);
    return new Deployment(
        series,
        intervalSeconds,
        archives(),
        isKeyed,
        batch,
        replication,
        retentionSeconds,
        busyPercent / 100,
        cores,
        heapGb * GB,
        postgresCores,
        postgresDiskTb * 1e12);
  }

  private void within(String option, double number, double least, double most) {
    if (!(number >= least && number <= most)) {
      throw CommandException.misuse(
          "%s is not between %s and %s (%s)"
              .formatted(
                  SizeText.number(number), SizeText.number(least), SizeText.number(most), option));
    }
  }

  private List<Archive> archives() {
    if (kept.archives != null) {
      return PoliciesFile.parse(yaml(kept.archives)).inOrder().get(0).archives();
    }
    Policies policies;
    if (kept.policies == null) {
      policies = PoliciesFile.parse(Policies.DEFAULT_YAML);
      policy = policy == null ? "default" : policy;
    } else {
      policies = PoliciesFile.read(kept.policies);
    }
    List<String> names =
        policies.inOrder().stream().filter(p -> !p.drops()).map(Policy::name).toList();
    if (policy == null) {
      if (names.size() > 1) {
        throw CommandException.misuse(
            "%s has the policies %s: name one (--policy)"
                .formatted(kept.policies, String.join(", ", names)));
      }
      return policies.storing(names.get(0)).orElseThrow().archives();
    }
    return policies
        .storing(policy)
        .orElseThrow(
            () ->
                CommandException.misuse(
                    "'%s' is not one of the policies %s (--policy)"
                        .formatted(policy, String.join(", ", names))))
        .archives();
  }

  /** A policies file with one policy, whose step is that of the first archive. */
  private static String yaml(List<String> archives) {
    String first = archives.get(0).replaceFirst("^[a-z]+:", "");
    return """
        policies:
          - name: default
            match: '.*'
            step: %s
            archives: ["%s"]
        """
        .formatted(first.replaceFirst(":.*", ""), String.join("\", \"", archives));
  }
}
