package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Merges the batches of several source partitions. Kafka keeps order within a partition only, but a
 * collector that sends without a key, or with a random one, spreads a series over all of them, and
 * tasks read a backlog at their own paces. So batches leave in the order of their writing, each
 * once every partition is complete up to there; of those written at about the same time the one
 * with the earliest points goes first, wherever it is: in its own partition, too, another host with
 * a faster clock may be before it. A series keeps the order of its partition: a batch is not before
 * one of its partition that came earlier and holds a series of it. Which is first does not hang on
 * how fast each partition was read, so that a replay sees the same order.
 *
 * <pre>
 *                                        written →
 *   points/0   1 ────── 4 ─ 5 ═════════╡ complete      may leave: 1 2 3 4 5, in this order
 *   points/1      2 ─ 3 ────── 6 ═══╡ complete         waits: 7, as points/1 may still bring
 *   points/2                      7                           something written before it
 * </pre>
 */
public final class SourceMerge {
  /**
   * A sender fills its batches partition by partition: so much may their order of writing differ.
   */
  private static final long SKEW_MS = 500;

  /** A longer silence of all sources together is not held against one of them. */
  private static final long SILENCE_MS = 1_000;

  private final Predicate<ByteBuffer> isRead;
  private final long maxWaitMs;
  private final WaitingRoom room;
  private final Map<ByteBuffer, Source> sources = new HashMap<>();
  private final Turns turns = new Turns(SKEW_MS);
  private int waiting;
  private long waitingPoints;

  /** When the last news of any source came, by the clock, and how long they came until then, ms. */
  private long heardMs;

  private long listenedMs;

  /**
   * Nothing waits.
   *
   * @param expected the source partitions; one more that is met is waited for from then on
   * @param isRead whether a source partition is read still; one that has only left something behind
   *     is not waited for
   * @param maxWaitMs a partition that has not advanced for this long, while others did, is not
   *     waited for
   * @param room while it is overfull, the next leaves without waiting
   * @param nowMs the clock, epoch ms
   */
  public SourceMerge(
      Collection<ByteBuffer> expected,
      Predicate<ByteBuffer> isRead,
      long maxWaitMs,
      WaitingRoom room,
      long nowMs) {
    this.isRead = isRead;
    this.maxWaitMs = maxWaitMs;
    this.room = room;
    this.heardMs = nowMs;
    expected.forEach(this::source);
  }

  private Source source(ByteBuffer id) {
    return sources.computeIfAbsent(id, met -> new Source(isRead.test(met), listenedMs));
  }

  /**
   * Lets a batch wait; what its partition wrote before it has arrived, and was added before it
   * unless it has left.
   */
  public void add(Batch batch, long nowMs) {
    Source source = source(batch.source());
    hear(nowMs);
    source.complete(batch.writtenMs() - 1, listenedMs);
    turns.add(source.turn(batch, SKEW_MS));
    waiting++;
    waitingPoints += batch.points().size();
    room.take(batch);
  }

  /** Says that all that the partition wrote up to {@code untilMs} has arrived. */
  public void complete(ByteBuffer source, long untilMs, long nowMs) {
    hear(nowMs);
    source(source).complete(untilMs, listenedMs);
  }

  /** The broker or this instance may have been away: then all sources are late alike. */
  private void hear(long nowMs) {
    listenedMs += Math.max(0, Math.min(nowMs - heardMs, SILENCE_MS));
    heardMs = nowMs;
  }

  /**
   * Hands on, in order, the batches that need not wait any longer. Returns how many points had to
   * leave because too many waited.
   */
  public int release(Consumer<Batch> sink) {
    long completeMs = completeMs();
    int forced = 0;
    while (waiting > 0) {
      boolean isFull = room.isOverfull();
      if (!isFull && mustWait(turns.earliest(), completeMs)) {
        break; // and so must those written after it
      }
      Turn next = turns.next();
      if (mustWait(next, completeMs)) {
        if (!isFull) {
          break;
        }
        forced += next.batch.points().size();
      }
      leave(next, sink);
    }
    return forced;
  }

  /** Something written at about the same time may still come. */
  private static boolean mustWait(Turn turn, long completeMs) {
    return turn.writtenMs() + SKEW_MS > completeMs;
  }

  /** Hands on, in order, all that waits. */
  public void releaseAll(Consumer<Batch> sink) {
    while (waiting > 0) {
      leave(turns.next(), sink);
    }
  }

  /** Forgets all that waits; nothing is asked of it any more. */
  public void close() {
    room.give(waiting, waitingPoints);
    waiting = 0;
    waitingPoints = 0;
  }

  private void leave(Turn turn, Consumer<Batch> sink) {
    turns.remove();
    Batch batch = turn.batch;
    turn.source.leave(turn);
    waiting--;
    waitingPoints -= batch.points().size();
    room.give(batch);
    sink.accept(batch);
  }

  /** How far all sources are complete that are waited for, epoch ms. */
  private long completeMs() {
    long completeMs = Long.MAX_VALUE;
    for (Source source : sources.values()) {
      if (source.isRead && listenedMs - source.advancedMs() <= maxWaitMs) {
        completeMs = Math.min(completeMs, source.completeMs());
      }
    }
    return completeMs;
  }
}
