package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.sql.EvictFormerSeries;
import dev.rondo.connect.postgres.sql.InsertSeries;
import dev.rondo.connect.postgres.sql.LeaveFormerPlace;
import dev.rondo.connect.postgres.sql.RetireSeries;
import dev.rondo.connect.postgres.sql.UpsertSeries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Writes the entries of {@code rondo.series} of a put. One thread. */
final class SeriesWriter {
  /** A wave that is not new is an error in PostgreSQL's log, and a replay has many of them. */
  private static final int WAVES_NOT_TRIED = 50;

  private int notTried;

  /**
   * Series that are new are inserted; where they are not, it is looked who has their names and
   * places, and so for a while.
   *
   * @param changes {@link Series} and {@code Retirement} in the order of their topic
   */
  void write(Connection connection, Collection<Change> changes) throws SQLException {
    for (SeriesWave wave : SeriesWave.cut(changes)) {
      if (!wave.retirements().isEmpty()) {
        RetireSeries.execute(connection, wave.retirements());
      }
      if (!wave.series().isEmpty()) {
        write(connection, wave.series());
      }
    }
  }

  private void write(Connection connection, List<Series> series) throws SQLException {
    if (notTried > 0) {
      notTried--;
    } else if (InsertSeries.execute(connection, series)) {
      return;
    } else {
      notTried = WAVES_NOT_TRIED;
    }
    upsert(connection, series);
  }

  private static void upsert(Connection connection, List<Series> series) throws SQLException {
    if (!UpsertSeries.intoFree(connection, series)) {
      EvictFormerSeries.execute(connection, series); // few places are held by somebody else
      if (!UpsertSeries.intoEvicted(connection, series)) {
        LeaveFormerPlace.execute(connection, series);
      }
    }
  }
}
