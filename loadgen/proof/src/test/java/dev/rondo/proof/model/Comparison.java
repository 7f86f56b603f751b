package dev.rondo.proof.model;

import dev.rondo.proof.model.StoredSlots.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares every stored slot of every archive of every series with the model.
 *
 * @param slots number of compared slots
 * @param differences wrong, missing and extra slots, one line each
 */
public record Comparison(int slots, List<String> differences) {
  private static final double RELATIVE = 1e-9;
  private static final int SHOWN = 25;

  /** A row of a short archive: only the newest slot of an index is stored. */
  private record RowIndex(ArchiveRule archive, int segment, int index) {}

  public static Comparison of(List<Series> series, PolicyRule policy, StoredSlots stored) {
    Map<String, Map<ArchiveRule, Map<Long, Double>>> model = new HashMap<>();
    series.forEach(one -> model.put(one.ident(), Model.slots(one, policy)));
    Map<RowIndex, Long> newest = newest(model, stored);
    List<String> differences = new ArrayList<>();
    int slots = 0;
    for (Series one : series) {
      Location location = stored.locations().get(one.ident());
      for (ArchiveRule archive : policy.archives()) {
        Map<Long, Double> expected = new HashMap<>(model.get(one.ident()).get(archive));
        if (location != null) {
          expected
              .keySet()
              .removeIf(
                  endMs ->
                      newest.get(new RowIndex(archive, location.segment(), archive.index(endMs)))
                          > endMs);
        }
        slots += expected.size();
        compare(one, archive, expected, stored.values(one.ident(), archive), differences);
      }
    }
    addStrangers(series, stored, differences);
    if (stored.shown() != stored.known()) {
      differences.add(
          "missing: the view tv shows %d of %d known values"
              .formatted(stored.shown(), stored.known()));
    }
    return new Comparison(slots, differences);
  }

  private static Map<RowIndex, Long> newest(
      Map<String, Map<ArchiveRule, Map<Long, Double>>> model, StoredSlots stored) {
    Map<RowIndex, Long> newest = new HashMap<>();
    model.forEach(
        (ident, archives) -> {
          Location location = stored.locations().get(ident);
          if (location != null) {
            archives.forEach(
                (archive, values) ->
                    values
                        .keySet()
                        .forEach(
                            endMs ->
                                newest.merge(
                                    new RowIndex(archive, location.segment(), archive.index(endMs)),
                                    endMs,
                                    Math::max)));
          }
        });
    return newest;
  }

  private static void compare(
      Series series,
      ArchiveRule archive,
      Map<Long, Double> expected,
      Map<Long, Double> stored,
      List<String> differences) {
    Set<Long> ends = new TreeSet<>(expected.keySet());
    ends.addAll(stored.keySet());
    for (long endMs : ends) {
      Double wanted = expected.get(endMs);
      Double found = stored.get(endMs);
      if (wanted == null || found == null || !isClose(wanted, found)) {
        String kind = found == null ? "missing" : wanted == null ? "extra" : "wrong";
        differences.add(
            "%s: %s, %s, slot %d: expected %s, stored %s; points %s"
                .formatted(
                    kind,
                    series.ident(),
                    archive,
                    endMs,
                    wanted,
                    found,
                    around(series, archive, endMs)));
      }
    }
  }

  private static boolean isClose(double a, double b) {
    return Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
  }

  /** The points that determine the slot: those in it, the previous one and the next one. */
  private static List<TimedValue> around(Series series, ArchiveRule archive, long endMs) {
    List<TimedValue> points = series.points();
    int from = 0;
    while (from < points.size() - 1 && points.get(from + 1).tMs() <= endMs - archive.stepMs()) {
      from++;
    }
    int to = from;
    while (to < points.size() - 1 && points.get(to).tMs() < endMs) {
      to++;
    }
    return points.subList(from, Math.min(Math.min(to + 1, from + 12), points.size()));
  }

  private static void addStrangers(
      List<Series> series, StoredSlots stored, List<String> differences) {
    Set<Location> locations = new HashSet<>(stored.locations().values());
    stored
        .values()
        .keySet()
        .forEach(
            location -> {
              if (!locations.contains(location)) {
                differences.add("extra: values at " + location + ", the location of no series");
              }
            });
    Set<String> idents = new HashSet<>(stored.locations().keySet());
    series.forEach(one -> idents.remove(one.ident()));
    idents.forEach(ident -> differences.add("extra: series " + ident));
  }

  public boolean isClean() {
    return differences.isEmpty();
  }

  /** Numbers of each kind, and the first differences. */
  @Override
  public String toString() {
    return "%d slots compared: %d wrong, %d missing, %d extra%n%s"
        .formatted(
            slots,
            count("wrong"),
            count("missing"),
            count("extra"),
            String.join("\n", differences.subList(0, Math.min(SHOWN, differences.size()))));
  }

  private long count(String kind) {
    return differences.stream().filter(line -> line.startsWith(kind)).count();
  }
}
