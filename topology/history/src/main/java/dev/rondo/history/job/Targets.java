package dev.rondo.history.job;

import dev.rondo.history.locations.Location;
import dev.rondo.history.locations.Locations;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.requests.Span;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Where the slots of each series are written: to overwrite, at its location now; to fill, where it
 * lived at the time of the slot. Series that do not exist are created. What a series had until it
 * was deleted is written nowhere.
 */
final class Targets {
  private final Job job;
  private final Locations locations;
  private final Predicate<String> isSelected;
  private final UnaryOperator<String> policyOf;
  private final Map<String, List<Location>> bySeries = new HashMap<>();

  /** When series were deleted, by ident, epoch ms. */
  private final Map<String, Long> deletedMs = new HashMap<>();

  private long refused;

  /**
   * @param isSelected whether a series is written, by ident
   * @param policyOf policy that the source of a topic names; empty = none
   */
  Targets(
      Job job, Locations locations, Predicate<String> isSelected, UnaryOperator<String> policyOf) {
    this.job = job;
    this.locations = locations;
    this.isSelected = isSelected;
    this.policyOf = policyOf;
  }

  /**
   * Finds the locations of series that were not looked for before, or have been deleted since.
   *
   * @param series with the beginning of the newest slot to write, epoch ms; {@link Long#MIN_VALUE}
   *     = none
   */
  void find(SlotSession session, Map<SeriesEntry, Long> series)
      throws SQLException, ExecutionException, InterruptedException {
    forgetDeleted(session, series.keySet());
    Map<String, SeriesEntry> wanted = new HashMap<>();
    for (SeriesEntry entry : series.keySet()) {
      String ident = entry.getIdent();
      if (bySeries.containsKey(ident)) {
        continue;
      }
      if (isSelected.test(ident)) {
        wanted.put(ident, entry);
      } else {
        bySeries.put(ident, List.of());
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    locations.markCreated(session, wanted.keySet());
    Map<String, List<Location>> periods = periods(session, wanted);
    wanted
        .values()
        .removeIf(
            entry ->
                !periods.containsKey(entry.getIdent())
                    && isDeleted(entry.getIdent(), series.get(entry)));
    long missing = create(session, wanted, periods.keySet());
    if (missing < wanted.size() - periods.size()) {
      periods.putAll(periods(session, wanted));
    }
    Map<String, Long> earlier = new HashMap<>();
    periods.forEach(
        (ident, all) -> {
          long beginMs = beginMs(wanted.get(ident));
          if (!isDeleted(ident, beginMs)
              && beginMs
                  < all.get(job.mode() == WriteMode.OVERWRITE ? 0 : all.size() - 1).sinceMs()) {
            earlier.put(ident, beginMs);
          }
        });
    if (!earlier.isEmpty()) {
      locations.extend(session, earlier, job.mode());
      periods.putAll(periods(session, wanted));
    }
    for (String ident : wanted.keySet()) {
      bySeries.put(ident, periods.getOrDefault(ident, List.of()));
    }
    refused += missing;
  }

  /** Another series may have got the position of one that was deleted. */
  private void forgetDeleted(SlotSession session, Collection<SeriesEntry> series)
      throws SQLException, InterruptedException {
    locations
        .deletedMs(session, series.stream().map(SeriesEntry::getIdent).toList())
        .forEach(
            (ident, ms) -> {
              if (isSelected.test(ident) && !ms.equals(deletedMs.put(ident, ms))) {
                bySeries.remove(ident);
              }
            });
  }

  private Map<String, List<Location>> periods(SlotSession session, Map<String, SeriesEntry> wanted)
      throws SQLException, InterruptedException {
    return session.transaction(
        connection ->
            job.mode() == WriteMode.OVERWRITE
                ? locations.own(connection, wanted.keySet())
                : locations.periods(connection, wanted.keySet()));
  }

  /** Creates those that do not exist; returns how many still do not. */
  private long create(SlotSession session, Map<String, SeriesEntry> wanted, Set<String> existing)
      throws SQLException, ExecutionException, InterruptedException {
    Map<String, Map<String, Span>> bySource = new HashMap<>();
    wanted.forEach(
        (ident, entry) -> {
          if (!existing.contains(ident)) {
            bySource
                .computeIfAbsent(entry.getSource(), source -> new HashMap<>())
                .put(ident, new Span(beginMs(entry), job.toMs()));
          }
        });
    long missing = 0;
    for (Map.Entry<String, Map<String, Span>> each : bySource.entrySet()) {
      boolean isOwn = job.ownTopics().contains(each.getKey());
      missing +=
          locations
              .create(
                  session,
                  each.getValue(),
                  isOwn ? "" : policyOf.apply(each.getKey()),
                  isOwn ? "" : each.getKey())
              .size();
    }
    return missing;
  }

  /** Slots that end at or before it are not written. */
  private long beginMs(SeriesEntry entry) {
    long beginMs = Math.max(entry.getStartsAt(), job.fromMs());
    return Math.min(Math.max(beginMs, deletedMs(entry.getIdent()) + 1), job.toMs() - 1);
  }

  private boolean isDeleted(String ident, long beginMs) {
    return beginMs < deletedMs(ident);
  }

  private long deletedMs(String ident) {
    return deletedMs.getOrDefault(ident, Long.MIN_VALUE);
  }

  /**
   * Where a slot is written; null if nowhere: the series was refused, or deleted after the slot had
   * begun, or another one had its position then.
   */
  Location of(String ident, long endMs, long stepMs) {
    if (isDeleted(ident, endMs - stepMs)) {
      return null;
    }
    List<Location> places = bySeries.getOrDefault(ident, List.of());
    return places.stream().filter(place -> place.has(endMs, stepMs)).findFirst().orElse(null);
  }

  /** Where a series lives; null if it does not exist. */
  Location now(String ident) {
    List<Location> places = bySeries.getOrDefault(ident, List.of());
    return places.isEmpty() ? null : places.get(0);
  }

  /** Series of which nothing is written from before they were deleted. */
  long deleted() {
    return deletedMs.size();
  }

  /** Series that could not be created. */
  long refused() {
    return refused;
  }
}
