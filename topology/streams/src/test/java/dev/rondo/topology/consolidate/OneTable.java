package dev.rondo.topology.consolidate;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables ds and ts as the sink keeps them, and what the view tv shows of them. */
final class OneTable {
  /** One archive of a policy, one segment, one slot index. */
  record Key(String policy, String cf, long stepMs, int size, int seg, int i) {}

  /** Its row; {@code dp} is not changed after construction. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Slot(long endMs, double[] dp) {}

  final Map<Key, Slot> ts = new HashMap<>();
  final Map<String, SeriesEntry> ds = new TreeMap<>();

  void put(String ident, SeriesEntry entry) {
    if (entry == null) {
      ds.remove(ident);
      return;
    }
    ds.values()
        .removeIf(
            other ->
                other.getPolicy().equals(entry.getPolicy())
                    && other.getSeg() == entry.getSeg()
                    && other.getPos() == entry.getPos()
                    && !other.getIdent().equals(ident));
    ds.put(ident, entry);
  }

  void put(BundleRow row) {
    Key key =
        new Key(
            row.getPolicy(), row.getCf(), row.getStepMs(), row.getSize(), row.getSeg(), row.getI());
    Slot stored = ts.get(key);
    double[] dp = row.getDp().stream().mapToDouble(v -> v).toArray();
    if (stored == null || row.getT() > stored.endMs()) {
      ts.put(key, new Slot(row.getT(), dp));
    } else if (row.getT() == stored.endMs()) {
      double[] merged = Arrays.copyOf(stored.dp(), Math.max(dp.length, stored.dp().length));
      Arrays.fill(merged, stored.dp().length, merged.length, Double.NaN);
      for (int p = 0; p < dp.length; p++) {
        merged[p] = Double.isNaN(dp[p]) ? merged[p] : dp[p];
      }
      ts.put(key, new Slot(row.getT(), merged));
    }
  }

  /** What tv shows of a series: "step end" to value. */
  Map<String, Double> shown(String ident) {
    SeriesEntry entry = ds.get(ident);
    Map<String, Double> shown = new TreeMap<>();
    ts.forEach(
        (key, slot) -> {
          if (key.policy().equals(entry.getPolicy())
              && key.seg() == entry.getSeg()
              && slot.endMs() > entry.getStartsAt()
              && slot.dp().length >= entry.getPos()
              && !Double.isNaN(slot.dp()[entry.getPos() - 1])) {
            shown.put(
                key.cf() + " " + key.stepMs() + " " + key.size() + " @" + slot.endMs(),
                slot.dp()[entry.getPos() - 1]);
          }
        });
    return shown;
  }

  /** Locations with two series. */
  List<SeriesEntry> doubled() {
    Map<String, SeriesEntry> byLocation = new HashMap<>();
    List<SeriesEntry> doubled = new ArrayList<>();
    for (SeriesEntry entry : ds.values()) {
      if (byLocation.put(entry.getPolicy() + entry.getSeg() + ":" + entry.getPos(), entry)
          != null) {
        doubled.add(entry);
      }
    }
    return doubled;
  }
}
