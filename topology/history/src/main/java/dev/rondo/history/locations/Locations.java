package dev.rondo.history.locations;

import dev.rondo.history.locations.StoredSeries.LocationPeriod;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.requests.Span;
import dev.rondo.tools.series.Deletions;
import dev.rondo.tools.series.Requests;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.requests.NewIdents;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/** Finds where series live and have lived, creates those that do not exist, and extends periods. */
public final class Locations {
  private static final String MARK =
      """
      update location_period as s set backfilled = true
      from unnest(?::bigint[]) as created (id)
      where s.ds_id = created.id and s.number = 0 and s.ends_at = 'infinity'
      """;

  private static final long POLL_MS = 200;

  private final TopologyConfig config;
  private final String by;
  private final Duration patience;
  private final Deletions deletions;

  /** Requests of earlier runs for series that are not examined yet; null = not read yet. */
  private Map<String, Set<Long>> askedBefore;

  /**
   * @param config of the topology, to ask it for new series
   * @param by who asks
   * @param patience how long to wait for the next new series
   * @param deletions closed by the caller
   */
  public Locations(TopologyConfig config, String by, Duration patience, Deletions deletions) {
    this.config = config;
    this.by = by;
    this.patience = patience;
    this.deletions = deletions;
  }

  /** The location of each series now, by canonical ident, without those that do not exist. */
  public Map<String, Location> current(Connection connection, Collection<String> idents)
      throws SQLException {
    var current = new HashMap<String, Location>();
    StoredSeries.read(connection, idents)
        .forEach((ident, series) -> current.put(ident, series.current().location()));
    return current;
  }

  /**
   * All periods of each series, the latest first, which is its location now, by canonical ident. A
   * slot is of the first that {@link Location#has} it, and may be filled there.
   */
  public Map<String, List<Location>> periods(Connection connection, Collection<String> idents)
      throws SQLException {
    var periods = new HashMap<String, List<Location>>();
    StoredSeries.read(connection, idents)
        .forEach(
            (ident, series) ->
                periods.put(
                    ident, series.periods().stream().map(LocationPeriod::location).toList()));
    return periods;
  }

  /**
   * The periods of each series at its location now, the latest first, by canonical ident: those
   * that it has had under this name. A slot of one of them may be overwritten.
   */
  public Map<String, List<Location>> own(Connection connection, Collection<String> idents)
      throws SQLException {
    var own = new HashMap<String, List<Location>>();
    StoredSeries.read(connection, idents)
        .forEach(
            (ident, series) ->
                own.put(
                    ident,
                    series.periods().stream()
                        .filter(period -> period.equals(series.current()) || !period.renamed())
                        .map(LocationPeriod::location)
                        .filter(series.current().location()::isAt)
                        .toList()));
    return own;
  }

  /**
   * Asks the topology to create series, and waits until PostgreSQL has them.
   *
   * @param spans the time of their slots, by canonical ident
   * @param policy that their source names; empty = none
   * @param source topic of the series; empty if they have none
   * @return those that PostgreSQL did not get while it waited: no point can have the ident, or the
   *     topology has refused it (without a policy, dropped, deleted, max.series), or does not run
   */
  public Set<String> create(
      SlotSession session, Map<String, Span> spans, String policy, String source)
      throws SQLException, ExecutionException, InterruptedException {
    Set<String> known =
        session.transaction(connection -> current(connection, spans.keySet()).keySet());
    var asked = new LinkedHashMap<String, Span>();
    spans.forEach(
        (ident, span) -> {
          if (!known.contains(ident) && canExist(ident)) {
            asked.put(ident, span);
          }
        });
    new Requests(config, patience).create(asked, by, policy, source);
    var left = new HashSet<>(asked.keySet());
    long deadline = System.nanoTime() + patience.toNanos();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      Set<String> made = session.transaction(connection -> mark(connection, left, series -> true));
      if (!made.isEmpty()) {
        left.removeAll(made);
        deadline = System.nanoTime() + patience.toNanos();
      } else {
        Thread.sleep(POLL_MS);
      }
    }
    var missing = new HashSet<>(spans.keySet());
    missing.removeAll(known);
    missing.removeAll(asked.keySet());
    missing.addAll(left);
    return missing;
  }

  /**
   * Marks those of these series that were created for a run which was killed before it marked them.
   *
   * @param idents canonical; each is examined once
   */
  public void markCreated(SlotSession session, Collection<String> idents)
      throws SQLException, InterruptedException {
    if (askedBefore == null) {
      askedBefore = new Requests(config, patience).creations();
    }
    var asked = new HashMap<String, Set<Long>>();
    for (String ident : idents) {
      Set<Long> fromMs = askedBefore.remove(ident);
      if (fromMs != null) {
        asked.put(ident, fromMs);
      }
    }
    if (!asked.isEmpty()) {
      session.transaction(
          connection ->
              mark(
                  connection,
                  asked.keySet(),
                  series ->
                      asked.get(series.ident()).contains(series.first().location().sinceMs())));
    }
  }

  /**
   * When series of these idents were deleted or renamed: what they had until then is not of those
   * that have the idents now, or will have them.
   *
   * @return epoch ms by ident, without those that have lived longer or were never deleted
   */
  public Map<String, Long> deletedMs(SlotSession session, Collection<String> idents)
      throws SQLException, InterruptedException {
    Map<String, Long> deletedMs = deletions.of(idents);
    if (!deletedMs.isEmpty()) {
      session
          .transaction(connection -> StoredSeries.read(connection, deletedMs.keySet()))
          .forEach(
              (ident, series) -> {
                if (series.first().location().sinceMs() < deletedMs.get(ident)) {
                  deletedMs.remove(ident); // a request that had no effect
                }
              });
    }
    return deletedMs;
  }

  private boolean canExist(String ident) {
    try {
      NewIdents.check(ident, config.naming());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Marks those of these series that a request has made as begun by no point; returns all that
   * exist.
   */
  private static Set<String> mark(
      Connection connection, Set<String> idents, Predicate<StoredSeries> isMade)
      throws SQLException {
    Map<String, StoredSeries> stored = StoredSeries.read(connection, idents);
    long[] made = stored.values().stream().filter(isMade).mapToLong(StoredSeries::id).toArray();
    try (PreparedStatement statement = connection.prepareStatement(MARK)) {
      statement.setObject(1, made);
      statement.executeUpdate();
    }
    return stored.keySet();
  }

  /**
   * Makes slots before the first period of each series (FILL), or before its current one
   * (OVERWRITE), belong to it at its current location. May be repeated.
   *
   * @param fromMs start of the oldest slot, by canonical ident, epoch ms
   * @return from when on slots can be written there and are shown, by ident, without those that do
   *     not exist: later than asked for where another series that is still shown had the position
   *     until then
   */
  public Map<String, Long> extend(SlotSession session, Map<String, Long> fromMs, WriteMode mode)
      throws SQLException, InterruptedException {
    return new PeriodExtension(session, mode).extend(fromMs);
  }
}
