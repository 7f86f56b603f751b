package dev.rondo.topology.archive;

/** What happened to a point. */
public enum Verdict {
  /** Added to its slots. */
  STORED,
  /**
   * Added as the first point of its series. If values fill backward, it only marks where known time
   * starts.
   */
  FIRST,
  /** Added to a reorder window, which releases it in time order, perhaps at once. */
  BUFFERED,
  /**
   * Like {@link #BUFFERED}, but its source exceeded its share of the memory, and the window
   * released its oldest point early.
   */
  EVICTED,
  /** Not stored: its time is that of the previous point or of a buffered point. */
  DUPLICATE,
  /** Not stored: its time is before that of the previous point. */
  LATE
}
