package dev.rondo.topology.archive;

/** What happened to a point. */
public enum Verdict {
  /** Added to its slots. */
  STORED,
  /**
   * Added as the first point of its series. Where values fill backward, it only marks from when on
   * the series is known.
   */
  FIRST,
  /**
   * Added to a reorder window, which releases it in time order, possibly at once: not counted yet.
   */
  BUFFERED,
  /** As {@link #BUFFERED}, but the window was full, so the oldest point was released early. */
  EVICTED,
  /** Not stored: its time is that of the previous point or of a buffered point. */
  DUPLICATE,
  /** Not stored: its time is before that of the previous point. */
  LATE
}
