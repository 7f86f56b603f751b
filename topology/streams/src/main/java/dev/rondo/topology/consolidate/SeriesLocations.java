package dev.rondo.topology.consolidate;

/** The partition of each series, as last emitted by any instance. */
public interface SeriesLocations {
  /** For a topology with one partition. */
  SeriesLocations NONE = (ident, partition) -> false;

  /** Whether all locations emitted before the start have been read. */
  default boolean isKnown() {
    return true;
  }

  /** Whether the last emitted location of a series is in another partition. */
  boolean isElsewhere(String ident, int partition);
}
