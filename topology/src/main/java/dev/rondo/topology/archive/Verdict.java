package dev.rondo.topology.archive;

/** What became of a point. */
public enum Verdict {
  /** Taken into its slots. */
  STORED,
  /** Taken: the first point of its series, which only says from when on the series is known. */
  FIRST,
  /** Its time is the previous point's time: not stored. */
  DUPLICATE,
  /** Its time is before the previous point's: not stored. */
  LATE
}
