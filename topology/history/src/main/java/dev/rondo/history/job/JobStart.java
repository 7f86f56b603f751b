package dev.rondo.history.job;

import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.formats.catalog.Format;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.rows.WriteMode;
import dev.rondo.tools.check.record.SampledPoints;
import dev.rondo.tools.command.Author;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.policies.Versions;
import dev.rondo.tools.series.Selection;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.RetriableException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Makes jobs, and runs them to their end. */
public final class JobStart {
  private static final int RETRY_MS = 2_000;

  private final TopologySettings settings;
  private final Path jobs;
  private final DatabaseOption database;
  private final PrintWriter out;
  private final Clock clock = Clock.systemUTC();

  /**
   * @param jobs folder of the jobs
   */
  public JobStart(TopologySettings settings, Path jobs, DatabaseOption database, PrintWriter out) {
    this.settings = settings;
    this.jobs = jobs;
    this.database = database;
    this.out = out;
  }

  /** Options of a job. */
  public static final class Options {
    @Option(
        names = "--to",
        paramLabel = "TIME",
        description =
            "Do not write slots that end after this time (default: that of the newest closed "
                + "slots).")
    private String to;

    @Option(
        names = "--series",
        paramLabel = "PATTERN|EXPR",
        description =
            "Only these series, as for ./rondo series; can be repeated for several tag "
                + "expressions.")
    private List<String> series = List.of();

    @Option(
        names = "--overwrite",
        description =
            "Give slots the values of the points, and make those without points unknown "
                + "(default: fill unknown slots only).")
    private boolean overwrite;

    @Option(
        names = "--rate",
        paramLabel = "N",
        defaultValue = "20000",
        description = "Points read a second; 0 = as many as possible (default: ${DEFAULT-VALUE}).")
    private long rate;

    @Option(
        names = "--workers",
        paramLabel = "N",
        defaultValue = "1",
        description = "Processes that read and consolidate (default: ${DEFAULT-VALUE}).")
    private int workers;

    /** The first option that is only for jobs; empty = none is given. */
    public String given() {
      return to != null ? "--to" : !series.isEmpty() ? "--series" : overwrite ? "--overwrite" : "";
    }
  }

  /**
   * Replays a range of sources, to its end.
   *
   * @param from as given by the user
   */
  public int replay(List<String> topics, String from, Options options, boolean dryRun)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    Start start = new Start(options);
    start.checkSources(topics);
    start.checkClock(dryRun);
    long nowMs = clock.millis();
    long fromMs = PastTime.parseMs(from, clock);
    long closedMs = start.planner.closedMs(nowMs);
    long toMs = options.to == null ? closedMs : PastTime.parseMs(options.to, clock);
    if (options.to == null && fromMs >= closedMs) {
      throw CommandException.misuse(
          "slots of policy '%s' that end after %s may still be open: give an earlier time (--from)"
              .formatted(start.planner.closesLast(), PastTime.show(closedMs)));
    }
    checkClosed(toMs, closedMs);
    checkRange(fromMs, toMs);
    try (Admin admin = Admin.create(start.config.admin());
        RecordTimes times = new RecordTimes(start.config)) {
      JobPlanner.Records records =
          start.planner.records(group(admin, start.config), times, topics, fromMs, toMs);
      checkBegin(records.beginMs(), toMs);
      return start.run(admin, start.job(records, Map.of(), fromMs, toMs, List.of()), dryRun);
    }
  }

  /**
   * Adds the points of topics, to its end.
   *
   * @param format of topics that are not sources; null = that of the source, or auto
   * @param from as given by the user; null = any time
   */
  public int backfill(
      List<String> topics, String format, String from, Options options, boolean dryRun)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    Start start = backfill(options, dryRun);
    SourceRules rules = start.config.sourceRules();
    Map<String, String> formats = new HashMap<>();
    for (String topic : topics) {
      if (format != null || rules.of(topic).isEmpty()) {
        formats.put(topic, format == null ? Format.AUTO.key() : format);
      }
    }
    if (!formats.isEmpty() && formats.size() < topics.size()) {
      throw CommandException.misuse("some of the topics are sources, others are not (--topic)");
    }
    checkFormat(format);
    try (Admin admin = Admin.create(start.config.admin())) {
      List<Job.Range> parts = start.planner.all(group(admin, start.config), topics);
      return start.run(admin, start.anyTime(parts, formats, from, List.of()), dryRun);
    }
  }

  /**
   * Adds the points of files, to its end.
   *
   * @param format of their lines
   * @param from as given by the user; null = any time
   */
  public int backfillFiles(
      List<Path> files, String format, String from, Options options, boolean dryRun)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    FilePoints.check(files, format);
    Start start = backfill(options, dryRun);
    start.anyTime(List.of(), Map.of(), from, List.of()); // a wrong time is found before the work
    if (dryRun) {
      long bytes = 0;
      for (Path file : files) {
        bytes += Files.size(file);
      }
      print("Would read %d files, %s bytes.".formatted(files.size(), JobText.number(bytes)));
      print("Nothing was changed (--dry-run).");
      return ExitCode.OK;
    }
    String topic = start.config.names().prefix() + ".backfill-" + start.id;
    try (Admin admin = Admin.create(start.config.admin())) {
      long lines = new FilePoints(start.config, topic, format).send(admin, files);
      print("%s lines are in the topic %s.".formatted(JobText.number(lines), topic));
      List<Job.Range> parts = start.planner.all(group(admin, start.config), List.of(topic));
      return start.run(
          admin, start.anyTime(parts, Map.of(topic, format), from, List.of(topic)), false);
    }
  }

  /** A backfill that fills writes slots at any time; one that overwrites only closed ones. */
  private Start backfill(Options options, boolean dryRun)
      throws IOException, SQLException, InterruptedException {
    Start start = new Start(options);
    if (options.overwrite) {
      start.checkClock(dryRun);
    }
    return start;
  }

  private static void checkFormat(String format) {
    if (format != null && Format.of(format).filter(each -> !each.needsSchema()).isEmpty()) {
      throw CommandException.misuse(
          "'%s' is no format, or one that needs a schema: make the topic a source then (--format)"
              .formatted(format));
    }
  }

  private static void checkClosed(long toMs, long closedMs) {
    if (toMs > closedMs) {
      throw CommandException.misuse(
          "slots that end after %s may still be open: give an earlier time, or none (--to)"
              .formatted(PastTime.show(closedMs)));
    }
  }

  private static void checkRange(long fromMs, long toMs) {
    if (fromMs >= toMs) {
      throw CommandException.misuse(
          "no slot ends after %s and at or before %s (--from, --to)"
              .formatted(PastTime.show(fromMs), PastTime.show(toMs)));
    }
  }

  private static void checkBegin(long beginMs, long toMs) {
    if (beginMs >= toMs) {
      throw CommandException.refused(
          "Kafka has deleted records of all slots that begin before %s: give a later time (--to)"
              .formatted(PastTime.show(beginMs)));
    }
  }

  private static GroupOffsets group(Admin admin, TopologyConfig config) {
    return new GroupOffsets(admin, config.getString("application.id"));
  }

  /** What all jobs begin with. */
  private final class Start {
    private final Options options;
    private final Predicate<String> selected;
    private final TopologyConfig config;
    private final String policies;
    private final JobPlanner planner;
    private final String id = JobId.next(clock.instant());

    Start(Options options) throws IOException, InterruptedException {
      this.options = options;
      this.selected = selected(options.series);
      check(options);
      this.config = settings.read();
      KafkaConnection.check(config.kafka());
      this.policies = Versions.read(config).latest().getYaml();
      this.planner = new JobPlanner(config, PoliciesFile.parse(policies));
    }

    void checkSources(List<String> topics) {
      SourceRules rules = config.sourceRules();
      for (String topic : topics) {
        if (rules.of(topic).isEmpty()) {
          throw CommandException.misuse(
              "topic '%s' is not one of the sources; points of others: ./rondo backfill (--topic)"
                  .formatted(topic));
        }
      }
    }

    /** The clock decides which slots are closed. */
    void checkClock(boolean dryRun) throws IOException, SQLException {
      if (!dryRun) {
        JobStart.this.checkClock();
      }
    }

    Job job(
        JobPlanner.Records records,
        Map<String, String> formats,
        long fromMs,
        long toMs,
        List<String> ownTopics) {
      return new Job(
          id,
          records.parts(),
          formats,
          fromMs,
          toMs,
          records.beginMs(),
          options.overwrite ? WriteMode.OVERWRITE : WriteMode.FILL,
          options.series,
          options.rate,
          options.workers,
          ownTopics);
    }

    /** A job for points of any time, unless the user gave bounds. */
    Job anyTime(
        List<Job.Range> parts, Map<String, String> formats, String from, List<String> ownTopics) {
      if (options.overwrite && (from == null || options.to == null)) {
        throw CommandException.misuse("to overwrite slots, name the range of time (--from, --to)");
      }
      long nowMs = clock.millis();
      long fromMs = from == null ? 0 : PastTime.parseMs(from, clock);
      long toMs = options.to == null ? nowMs : PastTime.parseMs(options.to, clock);
      checkRange(fromMs, toMs);
      if (options.overwrite) {
        checkClosed(toMs, planner.closedMs(nowMs));
      }
      return job(new JobPlanner.Records(parts, 0), formats, fromMs, toMs, ownTopics);
    }

    int run(Admin admin, Job job, boolean dryRun)
        throws IOException, SQLException, ExecutionException, InterruptedException {
      JobText.plan(job).forEach(JobStart.this::print);
      if (dryRun) {
        print(JobText.estimate(job, points(admin, job)));
        print("Nothing was changed (--dry-run).");
        return ExitCode.OK;
      }
      JobFolder folder = JobFolder.create(jobs, job);
      Files.writeString(new JobTopology(config, job, folder).policies(), policies);
      return JobStart.this.run(config, folder, selected);
    }

    /** Points that the records of a job hold, by a sample. */
    private double points(Admin admin, Job job) throws ExecutionException, InterruptedException {
      double points = 0;
      for (var records : job.recordsByTopic().entrySet()) {
        if (records.getValue() > 0) {
          Source source = source(records.getKey(), job.formats().get(records.getKey()));
          points +=
              records.getValue()
                  * SampledPoints.of(config, admin, source, clock, JobStart.this::print)
                      .perRecord();
        }
      }
      return points;
    }

    private Source source(String topic, String format) {
      return format == null
          ? config.sourceRules().of(topic).orElseThrow()
          : new SourcesFile(config.sourceDefaults())
              .one(Map.of("topic", topic, "format", format), config.registries());
    }
  }

  private static void check(Options options) {
    if (options.rate < 0) {
      throw CommandException.misuse("%d points/s are less than 0 (--rate)".formatted(options.rate));
    }
    if (options.workers < 1) {
      throw CommandException.misuse(
          "%d workers are less than 1 (--workers)".formatted(options.workers));
    }
  }

  private static Predicate<String> selected(List<String> series) {
    return series.isEmpty() ? ident -> true : Selection.of(series);
  }

  /** Resumes a job whose process has ended. */
  int resume(JobFolder folder)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    TopologyConfig config = settings.read();
    KafkaConnection.check(config.kafka());
    return run(config, folder, selected(folder.job().series()));
  }

  /** Ends the workers of a job whose process has ended, and reports that it pauses. */
  void pause(JobFolder folder)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    Workers.endOrphans(new JobTopology(settings.read(), folder.job(), folder), folder);
    try (JobRow row = row(folder, this::print)) {
      row.report(folder.state().phase(), true, folder.state().read(), 0);
    }
  }

  private int run(TopologyConfig config, JobFolder folder, Predicate<String> selected)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    try (FileLock lock = folder.lock();
        JobProgress progress = new JobProgress(Commands.isOnTerminal(), this::print);
        JobRow row = row(folder, progress::line)) {
      if (lock == null) {
        throw CommandException.refused("another process runs the job " + folder.id());
      }
      while (!runOnce(config, folder, selected, progress, row)) {
        Thread.sleep(RETRY_MS);
      }
    }
    print(JobText.line(folder.job(), folder.state()));
    return ExitCode.OK;
  }

  /** Runs the job from where it is to its end; returns false if it is to begin again. */
  private boolean runOnce(
      TopologyConfig config,
      JobFolder folder,
      Predicate<String> selected,
      JobProgress progress,
      JobRow row)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    JobRun run = new JobRun(config, folder, this::connect, selected, Author.name(), progress, row);
    try {
      Duration back = new UntilSetBack().run(run::run);
      if (!back.isZero()) {
        progress.line(
            "The clock of this machine was set back by %d s, next attempt in 2 s with new clients of Kafka"
                .formatted(back.toSeconds()));
        awaitRightClock(folder, progress);
      }
      return back.isZero();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof RetriableException)) {
        throw e;
      }
      progress.line("Kafka failed, next attempt in 2 s: " + e.getCause().getMessage());
    } catch (RetriableException e) {
      progress.line("Kafka failed, next attempt in 2 s: " + e.getMessage());
    }
    return false;
  }

  /** Workers drop slots that seem to be in the future, and an overwriting job would clear them. */
  private void awaitRightClock(JobFolder folder, JobProgress progress) throws InterruptedException {
    boolean isReported = false;
    while (!folder.isCancelled()) {
      try {
        checkClock();
        return;
      } catch (CommandException | IOException | SQLException e) {
        if (!isReported) {
          progress.line("waits for its clock: " + e.getMessage());
          isReported = true;
        }
      }
      Thread.sleep(RETRY_MS);
    }
  }

  private void checkClock() throws IOException, SQLException {
    try (Connection connection = connect()) {
      DatabaseClock.check(connection, clock);
    }
  }

  private JobRow row(JobFolder folder, Consumer<String> lines) {
    return new JobRow(folder.job(), new WriteSession(this::connect, lines), System::nanoTime);
  }

  private Connection connect() throws IOException, SQLException {
    return database.connect("rondo-job", settings);
  }

  private void print(String line) {
    out.println(line);
    out.flush();
  }
}
