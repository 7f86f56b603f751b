package dev.rondo.topology.lag;

import java.util.List;

/** What waits in a task of consolidate. Its thread updates it, any thread reads it. */
public final class TaskLag {
  private volatile List<Arrival> buffered = List.of();
  private volatile List<Arrival> lingering = List.of();
  private volatile Arrival heldBack;

  /**
   * Replaces what waits.
   *
   * @param buffered the oldest points in the merge, of some source partitions
   * @param heldBack the oldest of those that wait for a source partition, with that partition; null
   *     if the merge waits for none
   * @param lingering the oldest points in rows that linger
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
