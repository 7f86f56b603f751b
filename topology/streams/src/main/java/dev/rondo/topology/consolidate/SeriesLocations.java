package dev.rondo.topology.consolidate;

/** In which partition each series lives, as far as all instances have told. */
public interface SeriesLocations {
  /** Where there is one partition. */
  SeriesLocations NONE = (ident, partition) -> false;

  /** Whether all that was told before the start is known. */
  default boolean isKnown() {
    return true;
  }

  /** Whether the series was last told to live in another partition than this. */
  boolean isElsewhere(String ident, int partition);
}
