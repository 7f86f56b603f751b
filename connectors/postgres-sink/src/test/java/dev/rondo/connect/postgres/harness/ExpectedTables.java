package dev.rondo.connect.postgres.harness;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the three tables must hold after messages were delivered in any order and any number of
 * times, computed from the messages alone. A table is a map from the text of a row's key to the
 * text of its other columns.
 */
final class ExpectedTables {
  private final Map<String, Slot> ts = new HashMap<>();
  private final Map<String, String> ds = new HashMap<>();
  private final Map<String, Integer> widths = new HashMap<>();
  private final Map<String, Long> latest = new HashMap<>();

  /** The newest slot of a row: its end and its known values. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Slot(long endMs, double[] dp) {
    String text() {
      int length = dp.length;
      while (length > 0 && Double.isNaN(dp[length - 1])) {
        length--; // unknown past the end is unknown
      }
      return endMs + " " + Arrays.toString(Arrays.copyOf(dp, length));
    }
  }

  synchronized void expect(BundleRow row) {
    String bundle = bundle(row.getPolicy(), row.getCf(), row.getStepMs(), row.getSize());
    widths.merge(bundle, row.getWidth(), Math::max);
    latest.merge(bundle, row.getT(), Math::max);
    double[] dp = row.getDp().stream().mapToDouble(Double::doubleValue).toArray();
    ts.merge(
        slot(bundle, row.getSeg(), row.getI()),
        new Slot(row.getT(), dp),
        ExpectedTables::afterBoth);
  }

  synchronized void expect(SeriesEntry entry) {
    ds.put(
        series(entry.getIdent()),
        location(entry.getPolicy(), entry.getSeg(), entry.getPos(), entry.getStartsAt()));
  }

  synchronized void expectRetired(String ident) {
    ds.remove(series(ident));
  }

  synchronized int rows() {
    return ts.size();
  }

  /** Returns rows that differ, each with its key, expected and stored text; empty when none do. */
  synchronized List<String> differences(TestDatabase database) {
    var differences = new ArrayList<String>();
    var slots = new TreeMap<String, String>();
    ts.forEach((key, slot) -> slots.put(key, slot.text()));
    compare("ts", slots, storedSlots(database), differences);
    compare("ds", ds, storedSeries(database), differences);
    var bundles = new TreeMap<String, String>();
    widths.forEach((key, width) -> bundles.put(key, width + " " + latest.get(key)));
    compare("rra_bundle", bundles, storedBundles(database), differences);
    return differences;
  }

  private static void compare(
      String table, Map<String, String> expected, Map<String, String> stored, List<String> into) {
    var keys = new TreeMap<>(stored);
    keys.putAll(expected);
    for (String key : keys.keySet()) {
      String is = stored.get(key);
      if (!keys.get(key).equals(is) || !expected.containsKey(key)) {
        into.add("%s %s expected %s stored %s".formatted(table, key, expected.get(key), is));
      }
    }
  }

  private static Slot afterBoth(Slot one, Slot other) {
    if (one.endMs != other.endMs) {
      return one.endMs > other.endMs ? one : other;
    }
    double[] dp = new double[Math.max(one.dp.length, other.dp.length)];
    for (int p = 0; p < dp.length; p++) {
      boolean news = p < other.dp.length && !Double.isNaN(other.dp[p]);
      dp[p] = news ? other.dp[p] : p < one.dp.length ? one.dp[p] : Double.NaN;
    }
    return new Slot(one.endMs, dp);
  }

  /** Skips rows at -infinity: they are preallocated and hold no slot. */
  private static Map<String, String> storedSlots(TestDatabase database) {
    return database.read(
        """
        select policy, cf, step_ms, size, seg, i, (extract(epoch from t) * 1000)::bigint, dp
        from ts join rra_bundle b on b.id = rra_bundle_id where t > '-infinity'
        """,
        row -> {
          Double[] dp = (Double[]) row.getArray(8).getArray();
          var slot = new Slot(row.getLong(7), Arrays.stream(dp).mapToDouble(v -> v).toArray());
          String bundle = bundle(row.getString(1), row.getString(2), row.getLong(3), row.getInt(4));
          return Map.entry(slot(bundle, row.getInt(5), row.getInt(6)), slot.text());
        });
  }

  private static Map<String, String> storedSeries(TestDatabase database) {
    return database.read(
        """
        select ident ->> 'name', policy, seg, pos, (extract(epoch from starts_at) * 1000)::bigint
        from ds where ident - 'name' = '{}'
        """,
        row ->
            Map.entry(
                series(row.getString(1)),
                location(row.getString(2), row.getInt(3), row.getInt(4), row.getLong(5))));
  }

  private static Map<String, String> storedBundles(TestDatabase database) {
    return database.read(
        """
        select policy, cf, step_ms, size, width, (extract(epoch from latest) * 1000)::bigint
        from rra_bundle
        """,
        row ->
            Map.entry(
                bundle(row.getString(1), row.getString(2), row.getLong(3), row.getInt(4)),
                row.getInt(5) + " " + row.getLong(6)));
  }

  private static String bundle(String policy, String cf, long stepMs, int size) {
    return "%s %s %d ms x %d".formatted(policy, cf, stepMs, size);
  }

  private static String slot(String bundle, int seg, int i) {
    return "%s seg %d i %d".formatted(bundle, seg, i);
  }

  private static String series(String ident) {
    return ident;
  }

  private static String location(String policy, int seg, int pos, long startsAtMs) {
    return "%s seg %d pos %d valid from %d".formatted(policy, seg, pos, startsAtMs);
  }
}
