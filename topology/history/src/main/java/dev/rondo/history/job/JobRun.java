package dev.rondo.history.job;

import dev.rondo.history.job.JobState.Phase;
import dev.rondo.history.locations.Locations;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.Remaining;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.EndOfPoints;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.series.Deletions;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerSerializer;

/**
 * Runs a job to its end, from wherever an earlier run has left it:
 *
 * <pre>
 *   waits until PostgreSQL has what the running topology has consolidated
 *   workers read the points → rows of the job → written to PostgreSQL
 *   all points are read: an end mark in each partition emits the open slots
 *   all rows are written: slots without a value are cleared, if the job overwrites and no point was
 *     dropped that another run may store
 *   PostgreSQL has been away: all rows are written again
 *   what the workers have dropped is reported
 *   the topics of the job are deleted
 * </pre>
 */
final class JobRun {
  private static final long LOOK_NANOS = 500_000_000;
  private static final int PAUSE_MS = 500;

  /** How long the topology may take to create the next series. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TopologyConfig live;
  private final SourceRules rules;
  private final JobFolder folder;
  private final Job job;
  private final WriteSession.Connect connect;
  private final Predicate<String> isSelected;
  private final String by;
  private final Listener progress;
  private final JobRow row;
  private final JobTopology topology;
  private final JobPolicies policies;

  /** Steps of clearing that are done. */
  private long cleared;

  /** What a run reports. */
  interface Listener {
    /** How far it is. */
    void at(Job job, JobState state);

    /** A line for people. */
    void line(String text);
  }

  JobRun(
      TopologyConfig live,
      JobFolder folder,
      WriteSession.Connect connect,
      Predicate<String> isSelected,
      String by,
      Listener progress,
      JobRow row) {
    this.live = live;
    this.rules = live.sourceRules();
    this.folder = folder;
    this.job = folder.job();
    this.connect = connect;
    this.isSelected = isSelected;
    this.by = by;
    this.progress = progress;
    this.row = row;
    this.topology = new JobTopology(live, job, folder);
    this.policies = new JobPolicies(PoliciesFile.read(topology.policies()));
  }

  /** Runs until the job is over. */
  void run() throws IOException, SQLException, ExecutionException, InterruptedException {
    TopologyConfig config = topology.config(1);
    Workers.endOrphans(topology, folder);
    try (Admin admin = Admin.create(config.admin());
        WriteSession session = new WriteSession(connect, progress::line)) {
      if (folder.state().phase() == Phase.ENDING || !awaitLive(admin, session)) {
        end(admin, config);
        return;
      }
      var group = new GroupOffsets(admin, config.getString("application.id"));
      if (group.committed().isEmpty() && group.members().isEmpty()) {
        group.set(job.begins());
      }
      run(admin, config, group, session);
      noteNotStored(config);
      end(admin, config);
    }
  }

  /** Waits for the running topology and its sink; returns false if the job is cancelled. */
  private boolean awaitLive(Admin admin, WriteSession session)
      throws SQLException, ExecutionException, InterruptedException {
    LiveRondo rondo = new LiveRondo(live, admin, session);
    while (goesOn(Phase.WAITING, 0, null)) {
      if (rondo.hasStored(job)) {
        return true;
      }
      Thread.sleep(PAUSE_MS);
    }
    return false;
  }

  /** Reports, and waits while the job is paused; returns false if it is cancelled. */
  private boolean goesOn(Phase phase, long read, JobWriter writer)
      throws SQLException, ExecutionException, InterruptedException {
    report(phase, read, 0, writer);
    while (folder.isPaused() && !folder.isCancelled()) {
      if (writer != null) {
        writer.flush();
      }
      Thread.sleep(PAUSE_MS);
      report(phase, read, 0, writer);
    }
    return !folder.isCancelled();
  }

  private void run(Admin admin, TopologyConfig config, GroupOffsets group, WriteSession session)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    checkRecords(group, group.committed());
    try (Workers workers = new Workers(topology, folder, job.workers())) {
      workers.keep();
      JobTopics.await(admin, config);
      try (JobRows rows = new JobRows(config);
          JobSeries series = new JobSeries(config);
          Deletions deletions = new Deletions(live)) {
        Pass pass = new Pass(rows, series, deletions, session);
        boolean isRead =
            read(workers, group, pass.writer) && mark(workers, group, pass.writer, config);
        workers.stop();
        boolean goesOn = isRead && pass.store();
        while (goesOn && session.wasAway()) {
          rows.rewind();
          pass = new Pass(rows, series, deletions, session);
          goesOn = awaitLive(admin, session) && pass.store();
        }
      }
    }
  }

  /** Writes all rows to PostgreSQL; one that has come back may have other ids and locations. */
  private final class Pass {
    private final JobRows rows;
    private final JobSeries series;
    private final WriteSession session;
    private final Targets targets;
    private final int width;
    private final JobWriter writer;

    Pass(JobRows rows, JobSeries series, Deletions deletions, WriteSession session) {
      this.rows = rows;
      this.series = series;
      this.session = session;
      Locations locations = new Locations(live, by, PATIENCE, deletions);
      this.targets = new Targets(job, locations, isSelected, JobRun.this::policyOf);
      this.width = live.getInt("width");
      this.writer = new JobWriter(job, rows, series, targets, session, policies, width);
    }

    /**
     * Writes the rows that are left, and clears if no point was dropped that another run may store;
     * the workers have ended. Returns false if the job is cancelled.
     */
    boolean store() throws IOException, SQLException, ExecutionException, InterruptedException {
      Map<TopicPartition, Long> ends = rows.ends();
      while (!rows.isAt(ends)) {
        if (!goesOn(Phase.WRITING, job.records(), writer)) {
          return false;
        }
        writer.step();
      }
      writer.flush();
      if (job.mode() == WriteMode.OVERWRITE && drops().passing().isEmpty()) {
        new UnknownSlots(job, rows, series, targets, session, policies, width)
            .clear(() -> goesOnClearing(writer));
      }
      report(Phase.WRITING, job.records(), 0, writer);
      return true;
    }
  }

  private boolean goesOnClearing(JobWriter writer)
      throws SQLException, ExecutionException, InterruptedException {
    cleared++;
    return goesOn(Phase.CLEARING, job.records(), writer);
  }

  /** The policy that the source of a topic names; empty = none. */
  private String policyOf(String topic) {
    return rules.of(topic).map(Source::policy).orElse("");
  }

  /** Until all points are read; returns false if the job is cancelled. */
  private boolean read(Workers workers, GroupOffsets group, JobWriter writer)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    Rate rate = new Rate();
    long before = -1;
    while (true) {
      Map<TopicPartition, Long> committed = group.committed();
      checkRecords(group, committed);
      long read = job.read(committed);
      report(Phase.READING, read, rate.at(read), writer);
      boolean stands = read == before && !folder.isPaused();
      if (read >= job.records() || (stands && Remaining.isNone(live, committed, job.ends()))) {
        return true;
      }
      before = read;
      if (!go(workers, writer)) {
        return false;
      }
      rate.skip(folder.isPaused());
    }
  }

  /**
   * Checks that Kafka has what is left to read: slots of records that it has deleted would become
   * unknown.
   */
  private void checkRecords(GroupOffsets group, Map<TopicPartition, Long> committed)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> next = new HashMap<>(job.begins());
    next.replaceAll((partition, begin) -> Math.max(begin, committed.getOrDefault(partition, 0L)));
    next.entrySet().removeIf(each -> each.getValue() >= job.ends().get(each.getKey()));
    group
        .beginnings(next.keySet())
        .forEach(
            (partition, begin) -> {
              if (begin > next.get(partition)) {
                throw CommandException.refused(
                    ("Kafka has deleted records of %s that job %s had not read, up to offset %d: cancel"
                            + " it, and replay what Kafka has")
                        .formatted(partition, job.id(), begin));
              }
            });
  }

  /** Writes for a moment, or waits while the job is paused; returns false if it is cancelled. */
  private boolean go(Workers workers, JobWriter writer)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    if (folder.isCancelled()) {
      return false;
    }
    if (folder.isPaused()) {
      workers.stop();
      writer.flush();
      Thread.sleep(PAUSE_MS);
      return true;
    }
    workers.keep();
    long untilNanos = System.nanoTime() + LOOK_NANOS;
    while (System.nanoTime() < untilNanos) {
      writer.step();
    }
    return true;
  }

  /** Sends the end mark, and waits until the workers have taken it. */
  private boolean mark(Workers workers, GroupOffsets group, JobWriter writer, TopologyConfig config)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    Map<TopicPartition, Long> marks = new HashMap<>();
    try (Producer<Integer, SpecificRecord> producer =
        new KafkaProducer<>(
            config.writer(), new IntegerSerializer(), Topics.BY_SERIES_SERDE.serializer())) {
      var end = new SeriesRequest(by, System.currentTimeMillis(), new EndOfPoints());
      for (int p = 0; p < config.getInt("partitions"); p++) {
        var mark = producer.send(new ProducerRecord<>(topology.bySeries(), p, p, end)).get();
        marks.put(new TopicPartition(mark.topic(), mark.partition()), mark.offset());
      }
    }
    while (true) {
      Map<TopicPartition, Long> committed = group.committed();
      if (marks.entrySet().stream()
          .allMatch(mark -> committed.getOrDefault(mark.getKey(), 0L) > mark.getValue())) {
        return true;
      }
      report(Phase.READING, job.records(), 0, writer);
      if (!go(workers, writer)) {
        return false;
      }
    }
  }

  private WorkerDrops drops() throws IOException {
    return WorkerDrops.read(topology.drops());
  }

  private void noteNotStored(TopologyConfig config) throws IOException {
    DeadLetterExamples.read(config).forEach(progress::line);
    WorkerDrops drops = drops();
    JobState state = folder.state().with(JobText.notStored(drops.all()));
    if (job.mode() == WriteMode.OVERWRITE && !drops.passing().isEmpty()) {
      progress.line(JobText.notCleared(drops.passing()));
      state = state.with("no slot was cleared");
    }
    folder.write(state);
  }

  /** Deletes the topics and the row; a later run completes a deletion that was interrupted. */
  private void end(Admin admin, TopologyConfig config)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    folder.write(folder.state().in(Phase.ENDING));
    JobTopics.delete(admin, config, job);
    row.delete();
    folder.write(folder.state().in(folder.isCancelled() ? Phase.CANCELLED : Phase.DONE));
    folder.clean();
  }

  private void report(Phase phase, long read, double perSecond, JobWriter writer)
      throws SQLException, ExecutionException, InterruptedException {
    JobState state =
        new JobState(
            phase,
            read,
            perSecond,
            writer == null ? 0 : writer.slots(),
            writer == null ? 0 : writer.written(),
            writer == null ? "" : writer.notes(),
            System.currentTimeMillis());
    folder.write(state);
    row.report(phase, folder.isPaused(), read, state.rows() + cleared);
    progress.at(job, state);
  }
}
