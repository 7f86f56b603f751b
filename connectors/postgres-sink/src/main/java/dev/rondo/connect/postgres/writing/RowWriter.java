package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Refill;
import dev.rondo.connect.postgres.changes.Row;
import dev.rondo.connect.postgres.changes.Written;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.offsets.ClaimOffsets;
import dev.rondo.connect.postgres.offsets.OffsetClaim;
import dev.rondo.connect.postgres.pages.RowWaves;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the changes of a put: in one transaction, unless it holds slots of a segment that follow
 * each other, as after an outage ({@link RowWaves}). Each of its transactions begins with {@link
 * ClaimOffsets}; the last one moves the offsets. Nothing is held back between two calls. One
 * thread.
 */
public final class RowWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);

  private final Database database;
  private final Bundles bundles = new Bundles();
  private final SeriesWriter seriesWriter = new SeriesWriter();
  private final BundleRows bundleRows;

  /**
   * Writes over {@code database}, which {@link #close} closes.
   *
   * @param reserveSlots as {@code PostgresSinkConfig#reserveSlots}
   */
  public RowWriter(Database database, int reserveSlots) {
    this.database = database;
    this.bundleRows = new BundleRows(reserveSlots);
  }

  /**
   * Writes {@code changes} and moves the offsets of {@code claims}.
   *
   * @param changes in the order of their topics
   * @param claims of their partitions
   * @throws SQLException all or some are not written: {@link #reset}, then the same again
   */
  public Written write(List<Change> changes, List<OffsetClaim> claims) throws SQLException {
    var rows = new TreeMap<Row.Key, Row>(); // sorted, so that tasks lock in one order
    var fills = new TreeMap<Row.Key, Row>();
    var series = new ArrayList<Change>();
    for (Change change : changes) {
      if (change instanceof Row row) {
        rows.merge(row.key(), row, Row::then); // a statement takes a key once
      } else if (change instanceof Refill refill) {
        fills.merge(refill.row().key(), refill.row(), (before, later) -> later.then(before));
      } else {
        series.add(change);
      }
    }
    Connection connection = database.connection();
    List<Row> all = Stream.concat(rows.values().stream(), fills.values().stream()).toList();
    Map<Bundle, Integer> ids = bundleIds(connection, all, claims);
    List<List<Row>> waves = RowWaves.cut(rows.values());
    List<OffsetClaim> held = claims.stream().map(OffsetClaim::held).toList();
    for (List<Row> wave : waves.subList(0, waves.size() - 1)) {
      ClaimOffsets.execute(connection, held);
      bundleRows.write(connection, wave, ids);
      commitSoon(connection);
    }
    ClaimOffsets.execute(connection, claims);
    seriesWriter.write(connection, series);
    if (!rows.isEmpty()) {
      bundleRows.write(connection, waves.get(waves.size() - 1), ids);
    }
    if (!fills.isEmpty()) {
      bundleRows.fill(connection, List.copyOf(fills.values()), ids);
    }
    bundles.raiseLatest(connection, all); // last: all tasks share these rows
    connection.commit();
    var written = Written.of(all, series.size());
    LOG.debug("{} of {} changes", written, changes.size());
    return written;
  }

  /** Moves offsets alone; as {@link #write} otherwise. */
  public void claim(List<OffsetClaim> claims) throws SQLException {
    Connection connection = database.connection();
    ClaimOffsets.execute(connection, claims);
    connection.commit();
  }

  /** After a failed transaction: rolls back, and forgets what may not have been committed. */
  public void reset() {
    bundles.forget();
    database.rollback();
  }

  @Override
  public void close() {
    database.close();
  }

  /** What is new of the bundles is committed by itself. */
  private Map<Bundle, Integer> bundleIds(
      Connection connection, Collection<Row> rows, List<OffsetClaim> claims) throws SQLException {
    if (!bundles.know(rows)) {
      ClaimOffsets.execute(connection, claims.stream().map(OffsetClaim::held).toList());
    }
    return bundles.ids(connection, rows);
  }

  /** Without waiting for the disk: the last commit of the put waits for all. */
  private static void commitSoon(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local synchronous_commit = off");
    }
    connection.commit();
  }
}
