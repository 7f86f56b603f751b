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
 * Entries of {@code rondo.series} that one statement of each kind can write: all of them series, no
 * ident and no place twice, or all of them retirements.
 */
final class SeriesWave {
  private final List<Series> series = new ArrayList<>();
  private final Set<Ident> idents = new HashSet<>();
  private final Set<Series.Place> places = new HashSet<>();
  private final List<Retirement> retirements = new ArrayList<>();

  private SeriesWave() {}

  /**
   * Cuts a put into waves that, one after the other, do what its entries would do one by one.
   * Usually there is one.
   *
   * @param changes {@link Series} and {@link Retirement} in the order of their topic
   */
  static List<SeriesWave> cut(Collection<Change> changes) {
    var waves = new ArrayList<SeriesWave>();
    for (Change change : changes) {
      if (waves.isEmpty() || !waves.get(waves.size() - 1).add(change)) {
        var wave = new SeriesWave();
        wave.add(change);
        waves.add(wave);
      }
    }
    return waves;
  }

  /** Empty in a wave of retirements. */
  List<Series> series() {
    return series;
  }

  /** Empty in a wave of series. */
  List<Retirement> retirements() {
    return retirements;
  }

  /** False when {@code change} has to wait for the next wave. */
  private boolean add(Change change) {
    if (change instanceof Series entry) {
      return retirements.isEmpty()
          && idents.add(entry.ident())
          && places.add(entry.place())
          && series.add(entry);
    }
    return series.isEmpty() && retirements.add((Retirement) change);
  }
}
