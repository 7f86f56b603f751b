package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Entries of {@code rondo.series} that one statement of each kind can write: either series with
 * distinct idents and locations, or retirements.
 */
final class SeriesBatch {
  private final List<Series> series = new ArrayList<>();
  private final Set<Ident> idents = new HashSet<>();
  private final Set<Series.Location> places = new HashSet<>();
  private final List<Retirement> retirements = new ArrayList<>();

  private SeriesBatch() {}

  /**
   * Cuts a put into batches that, in order, have the same effect as its entries one by one. Usually
   * there is one.
   *
   * @param changes {@link Series} and {@link Retirement} in the order of their topic
   */
  static List<SeriesBatch> cut(Collection<Change> changes) {
    var batches = new ArrayList<SeriesBatch>();
    for (Change change : changes) {
      if (batches.isEmpty() || !batches.get(batches.size() - 1).add(change)) {
        var batch = new SeriesBatch();
        batch.add(change);
        batches.add(batch);
      }
    }
    return batches;
  }

  /** Empty in a batch of retirements. */
  List<Series> series() {
    return series;
  }

  /** Empty in a batch of series. */
  List<Retirement> retirements() {
    return retirements;
  }

  /** Returns false when {@code change} belongs to the next batch. */
  private boolean add(Change change) {
    if (change instanceof Series entry) {
      return retirements.isEmpty()
          && idents.add(entry.ident())
          && places.add(entry.location())
          && series.add(entry);
    }
    return series.isEmpty() && retirements.add((Retirement) change);
  }
}
