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
 * Continues the segments and series of a task under another version of the policies:
 *
 * <pre>
 *   policy                      its segments              its series
 *   the same                    stay                      stay, or move to the policy that covers them now
 *   archives, step, … changed   continue as it is now     the same
 *   removed, or drops now       end                       move, or leave if no policy stores them,
 *                                                         or the partition has no segment left
 *   back again                  are read again            the same as before it was removed
 * </pre>
 */
final class PolicyChange {
  private final PolicyTransition transition;
  private final Policies next;
  private final SegmentStore segments;
  private final SeriesIndex index;

  /**
   * A change of a task whose codec uses the next version already.
   *
   * @param transition from the version that the segments were in until now
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
   * @param left receives each series that no policy covers any more
   * @param back receives each of those whose policy exists again
   * @return how many series should move and stay, as the partition has no segment left for them
   */
  int make(
      Consumer<SeriesEntry> moved,
      Consumer<SeriesIndex.Location> left,
      Consumer<SeriesIndex.Location> back) {
    for (Segment segment : segments.all()) {
      next.storing(segment.policy().name())
          .filter(policy -> !policy.storesAs(segment.policy()))
          .ifPresent(policy -> index.become(segment, policy));
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

  /** Returns false if the series should move, and there is no room. */
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
