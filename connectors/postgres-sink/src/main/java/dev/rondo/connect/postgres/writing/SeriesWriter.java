package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.sql.DeletePreviousLocation;
import dev.rondo.connect.postgres.sql.DeletePreviousSeries;
import dev.rondo.connect.postgres.sql.InsertSeries;
import dev.rondo.connect.postgres.sql.RenameSeries;
import dev.rondo.connect.postgres.sql.RetireSeries;
import dev.rondo.connect.postgres.sql.UpsertSeries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Writes the entries of {@code rondo.series} of a put. Not thread-safe. */
final class SeriesWriter {
  /** Each failed insert is an error in PostgreSQL's log, and a replay has many of them. */
  private static final int UPSERT_BATCHES = 50;

  private int upsertBatches;

  /**
   * Inserts new series. After a unique violation this batch and the next {@value #UPSERT_BATCHES}
   * use the upsert path, which looks up idents and locations first.
   *
   * @param changes {@link Series}, {@code Retirement} and {@code Renaming} in the order of their
   *     topic
   */
  void write(Connection connection, Collection<Change> changes) throws SQLException {
    for (SeriesBatch batch : SeriesBatch.cut(changes)) {
      if (!batch.retirements().isEmpty()) {
        RetireSeries.execute(connection, batch.retirements());
      }
      if (!batch.renamings().isEmpty()) {
        RenameSeries.execute(connection, batch.renamings());
      }
      if (!batch.series().isEmpty()) {
        write(connection, batch.series());
      }
    }
  }

  private void write(Connection connection, List<Series> series) throws SQLException {
    if (upsertBatches > 0) {
      upsertBatches--;
    } else if (InsertSeries.execute(connection, series)) {
      return;
    } else {
      upsertBatches = UPSERT_BATCHES;
    }
    upsert(connection, series);
  }

  private static void upsert(Connection connection, List<Series> series) throws SQLException {
    if (!UpsertSeries.intoFree(connection, series)) {
      DeletePreviousSeries.execute(connection, series); // few locations belong to another series
      if (!UpsertSeries.intoFreed(connection, series)) {
        DeletePreviousLocation.execute(connection, series);
      }
    }
  }
}
