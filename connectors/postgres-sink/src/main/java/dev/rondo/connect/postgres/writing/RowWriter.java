package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Event;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.connect.postgres.changes.WriteCounts;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.errors.SqlStates;
import dev.rondo.connect.postgres.offsets.ClaimOffsets;
import dev.rondo.connect.postgres.offsets.OffsetClaim;
import dev.rondo.connect.postgres.sql.AdvanceIds;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a put, or a part of it, in one transaction, unless it has consecutive slots of a segment,
 * as after an outage ({@link RowBatches}). Each transaction begins with {@link ClaimOffsets}; the
 * last one moves the offsets. Nothing is buffered between calls. Not thread-safe.
 */
public final class RowWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);

  private final Database database;
  private final Bundles bundles = new Bundles();
  private final SeriesWriter seriesWriter = new SeriesWriter();
  private final BundleRows bundleRows;
  private final EventWriter eventWriter;

  /**
   * Writes over {@code database}, which {@link #close} closes.
   *
   * @param preallocateSlots as {@code PostgresSinkConfig#preallocateSlots}
   * @param eventRetentionDays as {@code PostgresSinkConfig#eventRetentionDays}
   */
  public RowWriter(Database database, int preallocateSlots, int eventRetentionDays) {
    this.database = database;
    this.bundleRows = new BundleRows(preallocateSlots);
    this.eventWriter = new EventWriter(eventRetentionDays);
  }

  /**
   * Writes {@code changes} and moves the offsets of {@code claims}.
   *
   * @param changes in the order of their topics
   * @param claims of their partitions
   * @throws SQLException if some changes may not be written: call {@link #reset}, then write the
   *     same again
   */
  public WriteCounts write(List<Change> changes, List<OffsetClaim> claims) throws SQLException {
    var rowChanges = new ArrayList<RowChange>();
    var rows = new TreeMap<Row.Key, Row>(); // sorted, so that tasks lock in one order
    var fills = new TreeMap<Row.Key, Row>();
    var series = new ArrayList<Change>();
    var events = new ArrayList<Event>();
    for (Change change : changes) {
      if (change instanceof RowChange each) {
        rowChanges.add(each);
        WriteMode mode = each.mode(); // a statement may contain a key once
        (mode == WriteMode.FILL ? fills : rows)
            .merge(each.row().key(), each.row(), (before, later) -> before.then(later, mode));
      } else if (change instanceof Event event) {
        events.add(event);
      } else {
        series.add(change);
      }
    }
    Connection connection = database.connection();
    List<Row> all = Stream.concat(rows.values().stream(), fills.values().stream()).toList();
    Map<Bundle, Integer> ids = bundleIds(connection, rowChanges, claims);
    List<List<Row>> batches = RowBatches.cut(rows.values());
    List<OffsetClaim> unmoved = claims.stream().map(OffsetClaim::unmoved).toList();
    for (List<Row> batch : batches.subList(0, batches.size() - 1)) {
      ClaimOffsets.execute(database.begin(), unmoved);
      bundleRows.write(connection, WriteMode.OVERWRITE, batch, ids);
      database.commitSoon(); // the last commit of the put waits for all of them
    }
    ClaimOffsets.execute(database.begin(), claims);
    seriesWriter.write(connection, series);
    eventWriter.write(connection, events);
    if (!rows.isEmpty()) {
      bundleRows.write(connection, WriteMode.OVERWRITE, batches.get(batches.size() - 1), ids);
    }
    if (!fills.isEmpty()) {
      bundleRows.write(connection, WriteMode.FILL, List.copyOf(fills.values()), ids);
    }
    bundles.extend(connection, all); // last, since all tasks share these rows
    connection.commit();
    var written = WriteCounts.of(all, series.size());
    LOG.debug("{} of {} changes", written, changes.size());
    return written;
  }

  /** Moves offsets without writing changes. */
  public void claim(List<OffsetClaim> claims) throws SQLException {
    Connection connection = database.begin();
    ClaimOffsets.execute(connection, claims);
    connection.commit();
  }

  /** Rolls back a failed transaction and clears what is cached of it. */
  public void reset() {
    bundles.clear();
    database.rollback();
  }

  /**
   * After {@link SqlStates#isTakenId}: lets the sequences continue after the ids that are taken.
   */
  public void advanceIds() throws SQLException {
    Connection connection = database.begin();
    AdvanceIds.execute(connection);
    connection.commit();
    LOG.warn(
        "The sequences of {} gave ids that are taken, as after a switch by logical replication;"
            + " they continue after the highest ones",
        database);
  }

  /** Closes the connection; the next one may lead to a database with other ids. */
  @Override
  public void close() {
    bundles.clear();
    database.close();
  }

  /** Looks up the bundles; commits new and changed ones in their own transaction. */
  private Map<Bundle, Integer> bundleIds(
      Connection connection, Collection<RowChange> rows, List<OffsetClaim> claims)
      throws SQLException {
    if (!bundles.areKnown(rows)) {
      ClaimOffsets.execute(database.begin(), claims.stream().map(OffsetClaim::unmoved).toList());
    }
    return bundles.ids(connection, rows);
  }
}
