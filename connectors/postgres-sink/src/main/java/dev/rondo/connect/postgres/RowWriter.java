package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the changes of a put: in one transaction, unless it holds slots of a segment that follow
 * each other, as after an outage ({@link RowWaves}). Nothing is held back between two calls. One
 * thread.
 */
final class RowWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);

  private final Database database;
  private final Bundles bundles = new Bundles();
  private final SeriesWriter seriesWriter = new SeriesWriter();
  private final BundleRows bundleRows;

  /**
   * @param reserveSlots as {@link PostgresSinkConfig#reserveSlots}
   */
  RowWriter(Database database, int reserveSlots) {
    this.database = database;
    this.bundleRows = new BundleRows(reserveSlots);
  }

  /**
   * @param changes in the order of their topics
   * @throws SQLException all or some are not written: {@link #reset}, then the same again
   */
  Written write(List<Change> changes) throws SQLException {
    var rows = new TreeMap<Row.Key, Row>(); // sorted, so that tasks lock in one order
    var series = new ArrayList<Change>();
    for (Change change : changes) {
      if (change instanceof Row row) {
        rows.merge(row.key(), row, Row::then); // a statement takes a key once
      } else {
        series.add(change);
      }
    }
    Connection connection = database.connection();
    seriesWriter.write(connection, series);
    if (!rows.isEmpty()) {
      writeRows(connection, rows.values());
    }
    connection.commit();
    var written = Written.of(rows.values(), series.size());
    LOG.debug("{} of {} changes", written, changes.size());
    return written;
  }

  /** After a failed transaction: rolls back, and forgets what may not have been committed. */
  void reset() {
    bundles.forget();
    database.rollback();
  }

  @Override
  public void close() {
    database.close();
  }

  private void writeRows(Connection connection, Collection<Row> rows) throws SQLException {
    Map<Bundle, Integer> ids = bundles.ids(connection, rows);
    List<List<Row>> waves = RowWaves.cut(rows);
    for (List<Row> wave : waves.subList(0, waves.size() - 1)) {
      bundleRows.write(connection, wave, ids);
      commitSoon(connection);
    }
    bundleRows.write(connection, waves.get(waves.size() - 1), ids);
    bundles.raiseLatest(connection, rows); // last: all tasks share these rows
  }

  /** Without waiting for the disk: the last commit of the put waits for all. */
  private static void commitSoon(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local synchronous_commit = off");
    }
    connection.commit();
  }
}
