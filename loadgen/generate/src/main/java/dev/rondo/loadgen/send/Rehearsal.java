package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.plan.Plan;

/**
 * Encodes the first turns of a plan and discards the records, which fills the caches of names and
 * warms up the JIT compiler before the clock starts.
 */
public final class Rehearsal {
  private Rehearsal() {}

  /**
   * Runs in the calling thread.
   *
   * @param fleet of the plan; caches the names
   * @param partitions of the topic
   * @param turns how many; at most all of the plan
   */
  public static void of(Plan plan, Fleet fleet, int partitions, long turns) {
    var rehearsed = new RecordSender(plan, fleet, partitions, (record, callback) -> {}, new Acks());
    long all = Math.min(turns, plan.grid().points());
    for (long turn = 0; turn < all; turn++) {
      rehearsed.take(turn);
    }
    rehearsed.finish(all);
  }
}
