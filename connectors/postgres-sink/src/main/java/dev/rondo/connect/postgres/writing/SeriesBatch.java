package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Renaming;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Entries of {@code rondo.series} that one statement of each kind can write: either series with
 * distinct idents and locations, or retirements, or renamings.
 */
final class SeriesBatch {
  private final List<Series> series = new ArrayList<>();
  private final Set<Ident> idents = new HashSet<>();
  private final Set<Series.Location> places = new HashSet<>();
  private final List<Retirement> retirements = new ArrayList<>();
  private final List<Renaming> renamings = new ArrayList<>();

  private SeriesBatch() {}

  /**
   * Cuts a put into batches that, in order, have the same effect as its entries one by one. Usually
   * there is one.
   *
   * @param changes {@link Series}, {@link Retirement} and {@link Renaming} in the order of their
   *     topic
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

  /** Empty in a batch of others. */
  List<Series> series() {
    return series;
  }

  /** Empty in a batch of others. */
  List<Retirement> retirements() {
    return retirements;
  }

  /** Empty in a batch of others. */
  List<Renaming> renamings() {
    return renamings;
  }

  /** Returns false when {@code change} belongs to the next batch. */
  private boolean add(Change change) {
    if (change instanceof Series entry) {
      return retirements.isEmpty()
          && renamings.isEmpty()
          && idents.add(entry.ident())
          && places.add(entry.location())
          && series.add(entry);
    }
    if (change instanceof Renaming renaming) {
      return series.isEmpty() && retirements.isEmpty() && renamings.add(renaming);
    }
    return series.isEmpty() && renamings.isEmpty() && retirements.add((Retirement) change);
  }
}
