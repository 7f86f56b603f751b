package dev.rondo.history.slots;

import dev.rondo.rows.WriteMode;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
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
  }

  private record Of(Policy policy, Archive archive) {}

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
    var bundles = new HashMap<Of, Bundle>();
    var rows = new ArrayList<Row>();
    var spans = new LinkedHashMap<Bundle, Bundle.Span>();
    for (Slots each : slots) {
      Of of = new Of(each.policy, each.archive);
      Bundle bundle = bundles.get(of);
      if (bundle == null) {
        bundle = Bundle.findOrCreate(connection, each.policy, each.archive, width);
        bundles.put(of, bundle);
      }
      Row row =
          new Row(
              bundle.id(),
              each.seg,
              each.archive.shape().index(each.endMs),
              each.endMs,
              each.values,
              each.unknown);
      if (each.endMs - bundle.stepMs() >= lowMs(connection, bundle)) {
        rows.add(row);
        if (row.isKnown()) {
          spans.merge(bundle, Bundle.Span.of(row), Bundle.Span::and);
        }
      } else {
        leaveOut(each.archive, bundle);
      }
    }
    int written = RowWriter.write(connection, mode, rows, width);
    Bundle.extend(connection, spans);
    return written;
  }

  private void leaveOut(Archive archive, Bundle bundle) {
    leftOut.computeIfAbsent(
        bundle.id(),
        id ->
            "slots before %s of %s:%s of policy %s, which got that archive later"
                .formatted(
                    Instant.ofEpochMilli(lowMs.get(id)),
                    archive.function().key(),
                    Spans.format(bundle.stepMs()),
                    bundle.policy()));
  }

  /** What was not written, for people; empty = nothing. */
  public SortedSet<String> leftOut() {
    return new TreeSet<>(leftOut.values());
  }

  private long lowMs(Connection connection, Bundle bundle) throws SQLException {
    Long known = lowMs.get(bundle.id());
    if (known == null) {
      known = bundle.lowMs(connection);
      lowMs.put(bundle.id(), known);
    }
    return known;
  }
}
