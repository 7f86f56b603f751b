package dev.rondo.topology.consolidate;

/** The partitions of all series, as all instances have last emitted them. */
public interface SeriesLocations {
  /** Of a topology with a single partition. */
  SeriesLocations NONE = (ident, partition) -> false;

  /** Whether all locations that were emitted before the start are known. */
  default boolean isKnown() {
    return true;
  }

  /** Whether the location of a series that was emitted last is in another partition. */
  boolean isElsewhere(String ident, int partition);
}
