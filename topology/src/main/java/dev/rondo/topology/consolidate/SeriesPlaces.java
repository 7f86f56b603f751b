package dev.rondo.topology.consolidate;

/** In which partition each series lives, as far as all instances have told. */
public interface SeriesPlaces {
  /** Where series cannot live in two partitions. */
  SeriesPlaces NONE = (ident, partition) -> false;

  /** Whether the series was last told to live in another partition than this. */
  boolean isElsewhere(String ident, int partition);
}
