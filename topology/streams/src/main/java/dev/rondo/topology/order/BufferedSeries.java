package dev.rondo.topology.order;

/**
 * A series with its buffered points. The series index extends it, so that a point is looked up only
 * once, when it enters the merge.
 */
public class BufferedSeries {
  private final String ident;

  /** First of the queues, one per source partition; null if no point is buffered. */
  PartitionQueue first;

  private BufferedSeries successor;

  /**
   * @param ident string that the buffered points share
   */
  public BufferedSeries(String ident) {
    this.ident = ident;
  }

  public final String ident() {
    return ident;
  }

  /** This series, or the object that its queues were moved to. */
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
