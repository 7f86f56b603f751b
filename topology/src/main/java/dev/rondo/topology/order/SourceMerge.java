package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Merges the batches of several source partitions. Kafka keeps order within a partition only, but a
 * collector that sends without a key, or with a random one, spreads a series over all of them, and
 * tasks read a backlog at their own paces. So batches leave in the order of their writing, each
 * once every partition is complete up to there; of those written at about the same time the one
 * with the earliest points goes first, wherever it is: in its own partition, too, another host with
 * a faster clock may be before it. A series keeps the order of its partition: before a batch leave
 * all of its partition that came earlier and hold a series of it. Which is first does not hang on
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

  /** Of one time, by source: the order of arrival is another one in a replay. */
  private static final Comparator<Batch> BY_WRITING =
      Comparator.comparingLong(Batch::writtenMs)
          .thenComparing(Batch::source)
          .thenComparingLong(Batch::sequence);

  private static final Comparator<Batch> BY_POINTS =
      Comparator.comparingLong(Batch::firstMs).thenComparing(BY_WRITING);

  private final Predicate<ByteBuffer> isRead;
  private final long maxWaitMs;
  private final int maxPoints;
  private final Map<ByteBuffer, Source> sources = new HashMap<>();
  private final NavigableSet<Batch> waiting = new TreeSet<>(BY_WRITING);

  /** Those of {@link #waiting} that were written up to {@link #nextUntilMs}. */
  private final NavigableSet<Batch> next = new TreeSet<>(BY_POINTS);

  private long nextUntilMs = Long.MIN_VALUE;
  private int waitingPoints;

  /** When the last news of any source came, by the clock, and how long they came until then, ms. */
  private long heardMs;

  private long listenedMs;

  /** Where a source partition is, and which of its waiting batches is next for a series. */
  private static final class Source {
    final SeriesTurns turns = new SeriesTurns();

    final boolean isRead;

    /** All that was written up to then has arrived, epoch ms. */
    long completeMs = Long.MIN_VALUE;

    /** What {@link SourceMerge#listenedMs} was when that last became later. */
    long advancedMs;

    Source(boolean isRead) {
      this.isRead = isRead;
    }

    void complete(long untilMs, long listenedMs) {
      if (untilMs > completeMs) {
        completeMs = untilMs;
        advancedMs = listenedMs;
      }
    }
  }

  /**
   * Nothing waits.
   *
   * @param expected the source partitions; one more that is met is waited for from then on
   * @param isRead whether a source partition is read still; one that has only left something behind
   *     is not waited for
   * @param maxWaitMs a partition that has not advanced for this long, while others did, is not
   *     waited for
   * @param maxPoints when more than these wait, the first leaves without waiting
   * @param nowMs the clock, epoch ms
   */
  public SourceMerge(
      Collection<ByteBuffer> expected,
      Predicate<ByteBuffer> isRead,
      long maxWaitMs,
      int maxPoints,
      long nowMs) {
    this.isRead = isRead;
    this.maxWaitMs = maxWaitMs;
    this.maxPoints = maxPoints;
    this.heardMs = nowMs;
    expected.forEach(this::source);
  }

  private Source source(ByteBuffer id) {
    return sources.computeIfAbsent(
        id,
        s -> {
          Source source = new Source(isRead.test(id));
          source.advancedMs = listenedMs;
          return source;
        });
  }

  /**
   * Lets a batch wait; what its partition wrote before it has arrived, and was added before it
   * unless it has left.
   */
  public void add(Batch batch, long nowMs) {
    complete(batch.source(), batch.writtenMs() - 1, nowMs);
    waiting.add(batch);
    source(batch.source()).turns.add(batch);
    if (batch.writtenMs() <= nextUntilMs) {
      next.add(batch);
    }
    waitingPoints += batch.points().size();
  }

  /** Says that all that the partition wrote up to {@code untilMs} has arrived. */
  public void complete(ByteBuffer source, long untilMs, long nowMs) {
    // the broker or this instance may have been away: then all sources are late alike
    listenedMs += Math.max(0, Math.min(nowMs - heardMs, SILENCE_MS));
    heardMs = nowMs;
    source(source).complete(untilMs, listenedMs);
  }

  /**
   * Hands on, in order, the batches that need not wait any longer. Returns how many points had to
   * leave because too many waited.
   */
  public int release(Consumer<Batch> sink) {
    long completeMs = completeMs();
    int forced = 0;
    while (!waiting.isEmpty()) {
      Batch batch = orBeforeIt(first());
      if (batch.writtenMs() + SKEW_MS > completeMs) {
        if (waitingPoints <= maxPoints) {
          break;
        }
        forced += batch.points().size();
      }
      leave(batch, sink);
    }
    return forced;
  }

  /** Hands on, in order, all that waits. */
  public void releaseAll(Consumer<Batch> sink) {
    while (!waiting.isEmpty()) {
      leave(orBeforeIt(first()), sink);
    }
  }

  private void leave(Batch batch, Consumer<Batch> sink) {
    waiting.remove(batch);
    next.remove(batch);
    source(batch.source()).turns.leave(batch);
    waitingPoints -= batch.points().size();
    sink.accept(batch);
  }

  /** Of the batches written at about the time of the earliest, the one with the earliest points. */
  private Batch first() {
    Batch earliest = waiting.first();
    long untilMs = earliest.writtenMs() + SKEW_MS;
    if (untilMs > nextUntilMs) {
      Batch behind = new Batch(Long.MAX_VALUE, earliest.source(), nextUntilMs, "", List.of());
      for (Batch batch : waiting.tailSet(behind)) {
        if (batch.writtenMs() > untilMs) {
          break;
        }
        next.add(batch);
      }
      nextUntilMs = untilMs;
    }
    for (Batch batch : next) {
      if (batch.writtenMs() <= untilMs) { // one written earlier may have come since
        return batch;
      }
    }
    return earliest;
  }

  /** The batch, or that of its partition which has to leave before it for the sake of a series. */
  private Batch orBeforeIt(Batch batch) {
    return source(batch.source()).turns.orBeforeIt(batch);
  }

  /** How far all sources are complete that are waited for, epoch ms. */
  private long completeMs() {
    long completeMs = Long.MAX_VALUE;
    for (Source source : sources.values()) {
      if (source.isRead && listenedMs - source.advancedMs <= maxWaitMs) {
        completeMs = Math.min(completeMs, source.completeMs);
      }
    }
    return completeMs;
  }
}
