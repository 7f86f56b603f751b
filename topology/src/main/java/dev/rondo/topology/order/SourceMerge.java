package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Merges the batches of several source partitions by the time of their points. Kafka keeps order
 * within a partition only, but a collector that sends without a key, or with a random one, spreads
 * a series over all of them; tasks that read a backlog read their partitions at different paces;
 * and the broker's own time of writing says nothing between partitions. So a batch waits a little
 * for those that are still under way. Within a source partition the order is never changed: what is
 * late there is late.
 *
 * <pre>
 *   points/0   1 ────── 4 ─ 5        arrives as 1 4 5 2 3 6,
 *   points/1      2 ─ 3 ────── 6     leaves as  1 2 3 4 5 6
 * </pre>
 */
public final class SourceMerge {
  private final Map<ByteBuffer, Queue<Batch>> bySource = new HashMap<>();
  private final Queue<Batch> arrived = new ArrayDeque<>();

  /** Lets a batch wait. */
  public void add(Batch batch) {
    bySource.computeIfAbsent(batch.source(), s -> new ArrayDeque<>()).add(batch);
    arrived.add(batch);
  }

  /** Hands on, in order, the batches that are due at {@code nowMs} and all that go before them. */
  public void release(long nowMs, Consumer<Batch> sink) {
    while (isAnyDue(nowMs)) {
      Queue<Batch> first = null;
      for (Queue<Batch> queue : bySource.values()) {
        if (!queue.isEmpty()
            && (first == null || queue.peek().firstMs() < first.peek().firstMs())) {
          first = queue;
        }
      }
      sink.accept(first.remove());
    }
  }

  /** Batches become due in the order of their arrival, but leave in another. */
  private boolean isAnyDue(long nowMs) {
    while (!arrived.isEmpty() && !isWaiting(arrived.peek())) {
      arrived.remove();
    }
    return !arrived.isEmpty() && arrived.peek().dueMs() <= nowMs;
  }

  private boolean isWaiting(Batch batch) {
    Batch head = bySource.get(batch.source()).peek();
    return head != null && head.sequence() <= batch.sequence();
  }

  /** The batches that still wait, in the order of their arrival. */
  public List<Batch> waiting() {
    List<Batch> waiting = new ArrayList<>();
    for (Batch batch : arrived) {
      if (isWaiting(batch)) {
        waiting.add(batch);
      }
    }
    return waiting;
  }

  /** Forgets all. */
  public void clear() {
    bySource.clear();
    arrived.clear();
  }
}
