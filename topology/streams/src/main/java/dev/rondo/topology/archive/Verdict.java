package dev.rondo.topology.archive;

/** What became of a point. */
public enum Verdict {
  /** Taken into its slots. */
  STORED,
  /**
   * Taken: the first point of its series. Where values hold backward it only says from when on the
   * series is known.
   */
  FIRST,
  /** Taken into a reorder window, which hands it on in its turn, maybe at once: not yet counted. */
  WAITING,
  /** As {@link #WAITING}; too many waited, so that the oldest went on before its turn. */
  EVICTED,
  /** Its time is that of the previous point or of one that waits: not stored. */
  DUPLICATE,
  /** Its time is before the previous point's: not stored. */
  LATE
}
