package dev.rondo.history.job;

import dev.rondo.history.locations.Location;
import dev.rondo.history.slots.SlotWriter;
import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * Makes the slots unknown for which an overwriting job has no value: of its series, within its
 * range. It reads the rows of the job once for each stretch of time whose slots fit into memory, a
 * bit each.
 */
final class UnknownSlots {
  private static final BitSet NONE = new BitSet();

  /** Bits of a stretch. */
  private static final long MOST_BITS = 1L << 30;

  private final Job job;
  private final JobRows rows;
  private final JobSeries series;
  private final Targets targets;
  private final WriteSession session;
  private final JobPolicies policies;
  private final SlotWriter writer;

  /** Series of the job by position, from 1. */
  private final Map<Segment, SortedMap<Integer, String>> idents = new HashMap<>();

  private record Segment(String policy, int seg) {}

  private record Slot(Segment segment, Archive archive, long endMs) {}

  /** Asked after each piece of work. After a no, the remaining slots are left as they are. */
  @FunctionalInterface
  interface Check {
    boolean goesOn() throws SQLException, ExecutionException, InterruptedException;
  }

  UnknownSlots(
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
    this.policies = policies;
    this.writer = new SlotWriter(job.mode(), width);
  }

  /** Clears them. */
  void clear(Check check) throws SQLException, ExecutionException, InterruptedException {
    series.readAll();
    find();
    for (SeriesEntry entry : series.all()) {
      Location place = targets.now(entry.getIdent());
      if (place != null) {
        idents
            .computeIfAbsent(new Segment(place.policy(), place.seg()), key -> new TreeMap<>())
            .put(place.pos(), entry.getIdent());
      }
    }
    long fromMs = job.fromMs();
    while (fromMs < job.toMs() && check.goesOn()) {
      long toMs = Math.min(job.toMs(), fromMs + stretchMs());
      clear(fromMs, toMs, check);
      fromMs = toMs;
    }
  }

  private void find() throws SQLException, ExecutionException, InterruptedException {
    Map<SeriesEntry, Long> withoutSlots = new HashMap<>();
    series.all().forEach(entry -> withoutSlots.put(entry, Long.MIN_VALUE));
    session.run(slots -> targets.find(slots, withoutSlots));
  }

  /** Length of a stretch of time, ms. */
  private long stretchMs() {
    double bitsOfMs = 0;
    for (Map.Entry<Segment, SortedMap<Integer, String>> each : idents.entrySet()) {
      for (JobPolicies.Kept kept : policies.all(each.getKey().policy())) {
        bitsOfMs += (double) each.getValue().lastKey() / kept.archive().shape().stepMs();
      }
    }
    return Math.max(policies.coarsestMs(), (long) (MOST_BITS / Math.max(bitsOfMs, 1e-9)));
  }

  private void clear(long fromMs, long toMs, Check check)
      throws SQLException, ExecutionException, InterruptedException {
    Map<Slot, BitSet> known = known(fromMs, toMs, check);
    if (!check.goesOn()) {
      return;
    }
    find(); // some may have been deleted since
    var unknown = new ArrayList<Slots>();
    for (Segment segment : idents.keySet()) {
      for (JobPolicies.Kept kept : policies.all(segment.policy())) {
        ArchiveShape shape = kept.archive().shape();
        for (long endMs = shape.endOf(fromMs + 1); endMs <= toMs; endMs += shape.stepMs()) {
          BitSet left = left(segment, endMs, shape.stepMs());
          left.andNot(known.getOrDefault(new Slot(segment, kept.archive(), endMs), NONE));
          if (!left.isEmpty()) {
            unknown.add(
                new Slots(
                    kept.policy(), kept.archive(), segment.seg(), endMs, new double[0], left));
          }
          if (unknown.size() == WriteSession.ROWS_OF_A_TRANSACTION) {
            session.write(writer, unknown);
            unknown.clear();
          }
        }
        if (!check.goesOn()) {
          return;
        }
      }
    }
    session.write(writer, unknown);
  }

  /** Positions, from index 0, at which a series of the job has the slot. */
  private BitSet left(Segment segment, long endMs, long stepMs) {
    var left = new BitSet();
    idents
        .get(segment)
        .forEach(
            (pos, ident) -> {
              if (job.writes(endMs, stepMs) && targets.of(ident, endMs, stepMs) != null) {
                left.set(pos - 1);
              }
            });
    return left;
  }

  /** The slots of a stretch for which the job has a value; incomplete after a no. */
  private Map<Slot, BitSet> known(long fromMs, long toMs, Check check)
      throws SQLException, ExecutionException, InterruptedException {
    Map<Slot, BitSet> known = new HashMap<>();
    var ends = rows.ends();
    rows.rewind();
    while (!rows.isAt(ends)) {
      List<BundleRow> next = rows.next();
      if (!next.isEmpty() && !check.goesOn()) {
        return known;
      }
      for (BundleRow row : next) {
        if (row.getT() > fromMs && row.getT() <= toMs) {
          JobWriter.forEach(row, (pos, value) -> mark(known, row, pos));
        }
      }
    }
    return known;
  }

  private void mark(Map<Slot, BitSet> known, BundleRow row, int pos) {
    String ident = series.at(row, pos).getIdent();
    Location place = targets.of(ident, row.getT(), row.getStepMs());
    if (place != null) {
      Segment segment = new Segment(place.policy(), place.seg());
      policies
          .archive(place.policy(), row.getCf(), row.getStepMs())
          .ifPresent(
              kept ->
                  known
                      .computeIfAbsent(
                          new Slot(segment, kept.archive(), row.getT()), key -> new BitSet())
                      .set(place.pos() - 1));
    }
  }
}
