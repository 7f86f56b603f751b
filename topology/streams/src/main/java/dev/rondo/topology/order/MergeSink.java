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
   * @param index index of the point in {@code batch}
   * @param known series of the point; null if it is not known
   */
  void point(Batch batch, int index, S known);
}
