package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.plan.Plan;

/**
 * The first turns of a plan, whose records are thrown away: texts are made once, and the code is
 * warm, before the clock runs.
 */
public final class Rehearsal {
  private Rehearsal() {}

  /**
   * Rehearses, in this thread.
   *
   * @param fleet of the plan; keeps the texts
   * @param partitions of the topic
   * @param turns how many; no more than there are
   */
  public static void of(Plan plan, Fleet fleet, int partitions, long turns) {
    var rehearsed = new Turns(plan, fleet, partitions, (record, callback) -> {}, new Acks());
    long all = Math.min(turns, plan.grid().points());
    for (long turn = 0; turn < all; turn++) {
      rehearsed.take(turn);
    }
    rehearsed.finish(all);
  }
}
