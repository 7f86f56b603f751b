package dev.rondo.history.slots;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.ExtendBundles;
import dev.rondo.rows.FindOrCreateBundle;
import dev.rondo.rows.Row;
import dev.rondo.rows.StoredBundle;
import dev.rondo.rows.WriteMode;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes slots of series into {@code ts}, in the transaction of the caller, who repeats it if a
 * lock cannot be had ({@link SlotSession}). Archives that PostgreSQL does not have yet are made.
 *
 * <p>An archive that began later than series of its policy gets no slots from before it began:
 * queries would read that time from it, and not from a coarser one that has their slots
 * (docs/decisions/0037).
 */
public final class SlotWriter {
  private final WriteMode mode;
  private final int width;

  /** By archive: start of the oldest slot that is written, epoch ms. */
  private final Map<Integer, Long> lowMs = new HashMap<>();

  /** By archive: what was not written, for people. */
  private final Map<Integer, String> leftOut = new HashMap<>();

  /**
   * Slots of the series of a segment that end at one time.
   *
   * @param policy of the segment, as it is in force
   * @param archive of the policy
   * @param endMs end of the slots, epoch ms, a multiple of the step of the archive
   * @param values by position, from position 1; NaN: nothing to write
   * @param unknown positions, from index 0, that become unknown unless they have a value here
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Slots(
      Policy policy, Archive archive, int seg, long endMs, double[] values, BitSet unknown) {
    /** Slots of which none becomes unknown. */
    public Slots(Policy policy, Archive archive, int seg, long endMs, double[] values) {
      this(policy, archive, seg, endMs, values, new BitSet());
    }

    private Row row(int width) {
      ArchiveShape shape = archive.shape();
      var bundle =
          new Bundle(policy.name(), archive.function().key(), shape.stepMs(), shape.size());
      var key = new Row.Key(bundle, seg, shape.index(endMs));
      return new Row(key, Math.max(width, values.length), endMs, values, unknown);
    }

    private BundleProperties properties() {
      return new BundleProperties(archive.xff(), policy.isWhisper(), policy.aggregate().key());
    }
  }

  /**
   * @param width positions of a new segment (configuration key {@code width})
   */
  public SlotWriter(WriteMode mode, int width) {
    this.mode = mode;
    this.width = width;
  }

  /**
   * Writes slots in any order, of any archives.
   *
   * @return how many rows have changed
   */
  public int write(Connection connection, Collection<Slots> slots) throws SQLException {
    var bundles = new HashMap<Bundle, StoredBundle>();
    var extended = new TreeMap<Bundle, StoredBundle>(); // in the order in which a sink locks
    var rows = new ArrayList<Row>();
    for (Slots each : slots) {
      Row first = each.row(width);
      Bundle bundle = first.key().bundle();
      StoredBundle stored = bundles.get(bundle);
      if (stored == null) {
        stored = FindOrCreateBundle.execute(connection, first, each.properties());
        bundles.put(bundle, stored);
      }
      if (each.endMs - bundle.stepMs() >= lowMs(connection, stored.id())) {
        Row row = each.row(stored.width());
        rows.add(row);
        StoredBundle with = stored.with(row);
        if (row.used() > 0 && !with.equals(stored)) {
          bundles.put(bundle, with);
          extended.put(bundle, with);
        }
      } else {
        leaveOut(bundle, stored.id());
      }
    }
    var ids = new HashMap<Bundle, Integer>();
    bundles.forEach((bundle, stored) -> ids.put(bundle, stored.id()));
    int written = RowWriter.write(connection, mode, rows, ids);
    ExtendBundles.execute(connection, extended.values());
    return written;
  }

  private void leaveOut(Bundle bundle, int id) {
    leftOut.computeIfAbsent(
        id,
        key ->
            "slots before %s of %s:%s of policy %s, which got that archive later"
                .formatted(
                    Instant.ofEpochMilli(lowMs.get(id)),
                    bundle.cf(),
                    Spans.format(bundle.stepMs()),
                    bundle.policy()));
  }

  /** What was not written, for people; empty = nothing. */
  public SortedSet<String> leftOut() {
    return new TreeSet<>(leftOut.values());
  }

  private long lowMs(Connection connection, int id) throws SQLException {
    Long known = lowMs.get(id);
    if (known == null) {
      known = ArchiveBegin.lowMs(connection, id);
      lowMs.put(id, known);
    }
    return known;
  }
}
