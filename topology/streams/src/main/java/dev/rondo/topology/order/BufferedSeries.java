package dev.rondo.topology.order;

/**
 * A series with its buffered points. The index of the known series extends it, so that a point is
 * looked up once: where it enters the merge.
 */
public class BufferedSeries {
  private final String ident;

  /** The first of its queues; null if nothing is buffered. */
  PartitionQueue first;

  private BufferedSeries successor;

  /**
   * @param ident the buffered points share this string
   */
  public BufferedSeries(String ident) {
    this.ident = ident;
  }

  /** Its ident. */
  public final String ident() {
    return ident;
  }

  /** This series, or the one that its queues were moved to. */
  final BufferedSeries current() {
    BufferedSeries series = this;
    while (series.successor != null) {
      series = series.successor;
    }
    return series;
  }

  /** Moves the queues to another object for the same series. */
  final void moveTo(BufferedSeries other) {
    other.first = first;
    first = null;
    successor = other;
  }
}
