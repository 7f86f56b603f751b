package dev.rondo.history.replay;

import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.history.job.JobCommands;
import dev.rondo.history.job.JobStart;
import dev.rondo.history.job.JobsFolder;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.schemas.Replay;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.check.record.SampledPoints;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.ReplayEpoch;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Replays source topics while the topology is stopped: rewinds the offsets of its consumer group
 * and raises the replay epoch. Exit code 0, 1 on failure, 2 on wrong usage.
 */
@Command(
    name = "replay",
    // generated, it would mix two modes and not show what each requires
    customSynopsis = {
      "./rondo replay --live --topic=TOPIC... --from=TIME [--to=TIME] [OPTIONS]",
      "       ./rondo replay --topic=TOPIC... (--from=TIME | --to-earliest | --offsets=P:O,...) [OPTIONS]",
      "       ./rondo replay COMMAND [JOB]"
    },
    description = {
      "Recomputes the past from source topics, also while points flow.",
      "",
      "--live recomputes a range of time, beside the running topology, and ends by itself. If "
          + "it is killed, ./rondo replay resume continues. Without --live the topology must be "
          + "stopped (./rondo stop topology): its sources are rewound, and it recomputes all slots "
          + "since then."
    },
    subcommands = {
      JobCommands.Status.class,
      JobCommands.Pause.class,
      JobCommands.Resume.class,
      JobCommands.Cancel.class
    },
    footer = {
      "TIME is ISO 8601 (2026-03-01T14:00:00Z; without an offset it is UTC), epoch "
          + "seconds or milliseconds, or a span back such as 90m, 6h or 2d. Offsets are found"
          + " by the time at which records were written: for points written long after their "
          + "own time, use --offsets or --to-earliest.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class ReplayCommand implements Callable<Integer> {
  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Source topic to replay; can be repeated.")
  private List<String> topics = List.of();

  @Option(
      names = "--live",
      description =
          "Recompute the range --from to --to beside the running topology. The options --to to "
              + "--jobs need it.")
  private boolean live;

  @ArgGroup private Start start;

  @Mixin private final JobStart.Options liveOptions = new JobStart.Options();

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Mixin private final JobsFolder jobs = new JobsFolder();

  @Option(names = "--dry-run", description = "Show the plan, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--follow",
      description = "Wait until the topology, once started, has read everything.")
  private boolean follow;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Mixin private final CommandOutput out = new CommandOutput();

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  /** One of the three is required; with --live, the first. */
  private static final class Start {
    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "Begin so early that all slots that end after TIME are complete.")
    private String from;

    @Option(
        names = "--to-earliest",
        description = "Begin with the oldest records that Kafka still has.")
    private boolean toEarliest;

    @Option(
        names = "--offsets",
        paramLabel = "P:O,...",
        description = "Partitions of the topic, and the offset to begin with.")
    private String offsets;
  }

  @Override
  public Integer call() throws IOException, SQLException, ExecutionException, InterruptedException {
    if (topics.isEmpty()) {
      throw CommandException.misuse("the topic is missing (--topic)");
    }
    if (live) {
      return live();
    }
    if (!liveOptions.given().isEmpty()) {
      throw CommandException.misuse(liveOptions.given() + " needs --live");
    }
    if (start == null) {
      throw CommandException.misuse("the start is missing (--from, --to-earliest, --offsets)");
    }
    TopologyConfig config = settings.read();
    ReplayRequest request = request();
    SourceRules rules = config.sourceRules();
    if (!rules.hasPatterns()) { // reports a wrong topic even if Kafka does not answer
      request.check(topics(rules.among(Set.of())));
    }
    KafkaConnection.check(config.kafka());
    try (Admin admin = Admin.create(config.admin())) {
      var group = new GroupOffsets(admin, config.getString("application.id"));
      replay(config, admin, request, group);
    }
    return ExitCode.OK;
  }

  private int live() throws IOException, SQLException, ExecutionException, InterruptedException {
    if (start == null || start.from == null) {
      throw CommandException.misuse("the beginning of the range is missing (--from)");
    }
    return new JobStart(settings, jobs.path(settings), database, spec.commandLine().getOut())
        .replay(topics, start.from, liveOptions, dryRun);
  }

  /** Those of points: stored events are not computed again, so deleted ones stay deleted. */
  private static List<String> topics(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.format().holdsPoints())
        .map(Source::topic)
        .toList();
  }

  private void replay(TopologyConfig config, Admin admin, ReplayRequest request, GroupOffsets group)
      throws ExecutionException, InterruptedException {
    group.checkHasRun();
    if (!dryRun) {
      new StoppedTopology(group, config.sessionTimeout(), out::line).await();
    }
    int epoch = ReplayEpoch.read(config) + 1;
    List<Source> sources = config.sources(admin);
    ReplayPlan plan = plan(config, topics(sources), request, group);
    PlanTable.lines(plan).forEach(out::line);
    if (dryRun) {
      estimate(config, admin, sources, plan).forEach(out::line);
      out.line("Nothing was changed (--dry-run).");
      return;
    }
    // Offsets first: if the command dies in between, the state is newer than the replayed points,
    // which are only counted as late. With the epoch first, open slots would be discarded in vain.
    Map<TopicPartition, Long> offsets = new HashMap<>(plan.offsets());
    offsets.putAll(
        group.beginnings(
            config.topic(Topics.SERIES_REQUESTS).name())); // those in by-series are skipped
    group.set(offsets);
    ReplayEpoch.write(
        config, new Replay(epoch, clock.millis(), request.topics(), request.option()));
    out.line("Replay %d is set. Start the topology (./rondo start topology).".formatted(epoch));
    if (follow) {
      new ReplayProgress(group, plan, Commands.isOnTerminal(), out::line).follow();
    }
  }

  private List<String> estimate(
      TopologyConfig config, Admin admin, List<Source> sources, ReplayPlan plan)
      throws ExecutionException, InterruptedException {
    List<ReplayEstimate.Reading> readings = new ArrayList<>();
    for (Source source : sources) {
      long records = plan.records(source.topic());
      if (records > 0) {
        var sample = SampledPoints.of(config, admin, source, clock, out::line);
        readings.add(new ReplayEstimate.Reading(records, source.isKeyed(), sample));
      }
    }
    return ReplayEstimate.lines(readings, Runtime.getRuntime().availableProcessors());
  }

  private ReplayPlan plan(
      TopologyConfig config, List<String> sources, ReplayRequest request, GroupOffsets group)
      throws ExecutionException, InterruptedException {
    try (RecordTimes times = new RecordTimes(config)) {
      return new ReplayPlanner(config, sources, group, times, clock).plan(request);
    }
  }

  private ReplayRequest request() {
    if (start.from != null) {
      return ReplayRequest.from(
          topics, PastTime.parseMs(start.from, clock), "--from " + start.from);
    }
    return start.toEarliest
        ? ReplayRequest.toEarliest(topics)
        : ReplayRequest.offsets(topics, start.offsets);
  }
}
