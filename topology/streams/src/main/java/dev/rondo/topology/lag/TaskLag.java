package dev.rondo.topology.lag;

import java.util.List;

/**
 * Oldest arrivals that wait in a task of consolidate. Its thread updates it, any thread reads it.
 */
public final class TaskLag {
  private volatile List<Arrival> buffered = List.of();
  private volatile List<Arrival> lingering = List.of();
  private volatile Arrival heldBack;

  /**
   * Replaces the arrivals.
   *
   * @param buffered oldest points in the merge, by source partition
   * @param heldBack oldest point that waits for a source partition, with that partition; null if
   *     none
   * @param lingering oldest points in buffered rows
   */
  public void update(List<Arrival> buffered, Arrival heldBack, List<Arrival> lingering) {
    this.buffered = buffered;
    this.heldBack = heldBack;
    this.lingering = lingering;
  }

  List<Arrival> waitingFor(Stage stage) {
    return stage == Stage.MERGED ? buffered : stage == Stage.SENT ? lingering : List.of();
  }

  Arrival heldBack() {
    return heldBack;
  }
}
