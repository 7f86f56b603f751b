package dev.rondo.history.job;

import dev.rondo.history.locations.Location;
import dev.rondo.history.slots.SlotWriter;
import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.policy.Spans;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;

/**
 * Writes the rows of a job where its series live. Rows of the job have other series side by side:
 * values are gathered for a while, so that a row of PostgreSQL is written a few times only. Written
 * again, rows have the same values.
 */
final class JobWriter {
  private static final int MOST_VALUES = 2_000_000;
  private static final long GATHER_NANOS = 3_000_000_000L;

  private final Job job;
  private final JobRows rows;
  private final JobSeries series;
  private final Targets targets;
  private final WriteSession session;
  private final SlotWriter writer;
  private final JobPolicies policies;
  private final SlotBatch batch = new SlotBatch();
  private final List<BundleRow> gathered = new ArrayList<>();
  private final Set<String> withoutArchive = new TreeSet<>();
  private long sinceNanos = System.nanoTime();
  private long gatheredValues;
  private long slots;
  private long written;

  JobWriter(
      Job job,
      JobRows rows,
      JobSeries series,
      Targets targets,
      WriteSession session,
      JobPolicies policies,
      int width) {
    this.job = job;
    this.rows = rows;
    this.series = series;
    this.targets = targets;
    this.session = session;
    this.writer = new SlotWriter(job.mode(), width);
    this.policies = policies;
  }

  /** Takes the next rows, and writes those gathered when it is time. */
  void step() throws SQLException, ExecutionException, InterruptedException {
    for (BundleRow row : rows.next()) {
      if (job.writes(row.getT(), row.getStepMs())) {
        gathered.add(row);
        gatheredValues += row.getDp().size();
      }
    }
    if (gatheredValues > MOST_VALUES || System.nanoTime() - sinceNanos > GATHER_NANOS) {
      flush();
    }
  }

  /** Writes what was gathered. */
  void flush() throws SQLException, ExecutionException, InterruptedException {
    if (!gathered.isEmpty()) {
      write();
    }
    sinceNanos = System.nanoTime();
  }

  private void write() throws SQLException, ExecutionException, InterruptedException {
    Map<SeriesEntry, Long> newestMs = new HashMap<>();
    for (BundleRow row : gathered) {
      long beginMs = row.getT() - row.getStepMs();
      forEach(row, (pos, value) -> newestMs.merge(series.at(row, pos), beginMs, Math::max));
    }
    session.run(slots -> targets.find(slots, newestMs));
    for (BundleRow row : gathered) {
      forEach(row, (pos, value) -> add(row, series.at(row, pos).getIdent(), value));
    }
    List<Slots> all = batch.slots();
    session.write(writer, all);
    slots += batch.values();
    written += all.size();
    batch.clear();
    gathered.clear();
    gatheredValues = 0;
  }

  private void add(BundleRow row, String ident, double value) {
    Location location = targets.of(ident, row.getT(), row.getStepMs());
    if (location == null) {
      return;
    }
    Optional<JobPolicies.Kept> kept =
        policies.archive(location.policy(), row.getCf(), row.getStepMs());
    if (kept.isEmpty()) {
      withoutArchive.add("%s:%s".formatted(row.getCf(), Spans.format(row.getStepMs())));
    } else if (row.getT() > System.currentTimeMillis() - kept.get().spanMs()) {
      batch.add(
          kept.get().policy(),
          kept.get().archive(),
          location.seg(),
          row.getT(),
          location.pos(),
          value);
    }
  }

  /** Receives the values of a row. */
  @FunctionalInterface
  interface Values {
    /**
     * Takes a value.
     *
     * @param pos position, from 1
     */
    void accept(int pos, double value);
  }

  /** Passes on the known values of a row. */
  static void forEach(BundleRow row, Values values) {
    List<Double> dp = row.getDp();
    for (int p = 0; p < dp.size(); p++) {
      double value = dp.get(p);
      if (!Double.isNaN(value)) {
        values.accept(p + 1, value);
      }
    }
  }

  /** Values of series that were written. */
  long slots() {
    return slots;
  }

  /** Rows of PostgreSQL that were written. */
  long written() {
    return written;
  }

  /** What was left out, for people; empty = nothing. */
  String notes() {
    var notes = new ArrayList<String>();
    if (targets.refused() > 0) {
      notes.add("%d series could not be created".formatted(targets.refused()));
    }
    if (targets.deleted() > 0) {
      notes.add(
          "%d series were deleted or renamed: without what they had until then"
              .formatted(targets.deleted()));
    }
    if (!withoutArchive.isEmpty()) {
      notes.add(
          "where series lived then, there is no archive %s"
              .formatted(String.join(", ", withoutArchive)));
    }
    Set<String> leftOut = writer.leftOut();
    if (!leftOut.isEmpty()) {
      notes.add("without " + String.join(", ", leftOut));
    }
    return String.join("; ", notes);
  }
}
