package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Ident;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.PolicyTransition;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies another version of the policies to the segments and series of a task:
 *
 * <pre>
 *   policy                      its segments         its series
 *   unchanged                   stay                 stay, or move to the policy that now matches
 *   archives, step, … changed   adopt the change     the same
 *   removed, or drops now       end                  move; leave if no policy stores them, or the
 *                                                    partition has no segment left
 *   restored                    are read again       the same as before the removal
 * </pre>
 */
final class PolicyChange {
  private final PolicyTransition transition;
  private final Policies next;
  private final SegmentStore segments;
  private final SeriesIndex index;

  /**
   * Creates the change of a task whose codec already uses the next version.
   *
   * @param transition from the version that the segments have
   */
  PolicyChange(PolicyTransition transition, SegmentStore segments, SeriesIndex index) {
    this.transition = transition;
    this.next = transition.next();
    this.segments = segments;
    this.index = index;
  }

  /**
   * Changes segments and series.
   *
   * @param moved receives the new location of each series that moves
   * @param left receives each series that no policy covers
   * @param back receives each series whose policy exists again
   * @return number of series that stay although they should move, as no segment is left
   */
  int make(
      Consumer<SeriesEntry> moved,
      Consumer<SeriesIndex.Location> left,
      Consumer<SeriesIndex.Location> back) {
    for (Segment segment : segments.all()) {
      next.storing(segment.policy().name())
          .filter(policy -> !policy.storesAs(segment.policy()))
          .ifPresent(policy -> index.changePolicy(segment, policy));
    }
    index.loadOthers(back);
    int staying = 0;
    if (!next.selectsAs(transition.before())) {
      for (SeriesIndex.Location location : List.copyOf(index.all())) {
        staying += move(location, moved, left) ? 0 : 1;
      }
      endSegmentsWithoutPolicy();
      index.updateDropped();
    }
    return staying;
  }

  /** Moves a series if needed. Returns false if no segment is left for it. */
  private boolean move(
      SeriesIndex.Location location,
      Consumer<SeriesEntry> moved,
      Consumer<SeriesIndex.Location> left) {
    String policy = location.segment().policy().name();
    Optional<Policy> target = transition.of(Ident.parse(location.ident()), policy);
    if (target.isPresent() && target.get().name().equals(policy)) {
      return true;
    }
    Optional<SeriesEntry> entry = target.flatMap(to -> index.move(location, to));
    entry.ifPresent(moved);
    if (entry.isEmpty() && next.storing(policy).isEmpty()) {
      index.release(location);
      left.accept(location);
    }
    return entry.isPresent() || target.isEmpty();
  }

  private void endSegmentsWithoutPolicy() {
    for (Segment segment : List.copyOf(segments.all())) {
      if (next.storing(segment.policy().name()).isEmpty()) {
        segment.end();
        segments.release(segment);
        index.forget(segment.policy());
      }
    }
  }
}
