package dev.rondo.topology.order;

/**
 * Receives the points that the merge releases.
 *
 * @param <S> class of the known series
 */
@FunctionalInterface
public interface MergeSink<S> {
  /**
   * Receives one point.
   *
   * @param index of the point in {@code batch}
   * @param known series of the point; null if the index does not know it
   */
  void point(Batch batch, int index, S known);
}
