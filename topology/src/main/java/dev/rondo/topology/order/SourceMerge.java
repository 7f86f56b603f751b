package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Merges the batches of several source partitions. Kafka keeps order within a partition only, but a
 * collector that sends without a key, or with a random one, spreads a series over all of them, and
 * tasks read a backlog at their own paces. So batches leave in the order of their writing, each
 * once every other partition is complete up to there; of those written at about the same time the
 * one with the earliest points goes first. Within a source partition the order is never changed:
 * what is late there is late.
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

  private final long maxWaitMs;
  private final int maxPoints;
  private final Map<ByteBuffer, Source> sources = new HashMap<>();
  private int waitingPoints;

  /** Where a source partition is, and what of it waits. */
  private static final class Source {
    final Queue<Batch> waiting = new ArrayDeque<>();

    /** All that was written up to then has arrived, epoch ms. */
    long completeMs = Long.MIN_VALUE;

    /** When that last became later, by the clock, epoch ms. */
    long advancedMs;

    void complete(long untilMs, long nowMs) {
      if (untilMs > completeMs) {
        completeMs = untilMs;
        advancedMs = nowMs;
      }
    }
  }

  /**
   * Nothing waits.
   *
   * @param expected the source partitions; one more that is met is waited for from then on
   * @param maxWaitMs a partition that has not advanced for this long is not waited for
   * @param maxPoints when more than these wait, the first leaves without waiting
   * @param nowMs the clock, epoch ms
   */
  public SourceMerge(Collection<ByteBuffer> expected, long maxWaitMs, int maxPoints, long nowMs) {
    this.maxWaitMs = maxWaitMs;
    this.maxPoints = maxPoints;
    expected.forEach(source -> source(source, nowMs));
  }

  private Source source(ByteBuffer id, long nowMs) {
    return sources.computeIfAbsent(
        id,
        s -> {
          Source source = new Source();
          source.advancedMs = nowMs;
          return source;
        });
  }

  /** Lets a batch wait; what its partition wrote before it has arrived. */
  public void add(Batch batch, long nowMs) {
    Source source = source(batch.source(), nowMs);
    source.waiting.add(batch);
    source.complete(batch.writtenMs() - 1, nowMs);
    waitingPoints += batch.points().size();
  }

  /** Says that all that the partition wrote up to {@code untilMs} has arrived. */
  public void complete(ByteBuffer source, long untilMs, long nowMs) {
    source(source, nowMs).complete(untilMs, nowMs);
  }

  /**
   * Hands on, in order, the batches that need not wait any longer. Returns how many points had to
   * leave because too many waited.
   */
  public int release(long nowMs, Consumer<Batch> sink) {
    Frontier frontier = frontier(nowMs);
    int forced = 0;
    for (Source next = first(); next != null; next = first()) {
      Batch batch = next.waiting.peek();
      if (batch.writtenMs() + SKEW_MS > frontier.before(next)) {
        if (waitingPoints <= maxPoints) {
          break;
        }
        forced += batch.points().size();
      }
      next.waiting.remove();
      waitingPoints -= batch.points().size();
      sink.accept(batch);
    }
    return forced;
  }

  /**
   * The source whose next batch goes first: written earliest, or, where several were written at
   * about the same time, the one of them with the earliest points. Null where nothing waits.
   */
  private Source first() {
    long writtenMs = Long.MAX_VALUE - SKEW_MS;
    for (Source source : sources.values()) {
      if (!source.waiting.isEmpty()) {
        writtenMs = Math.min(writtenMs, source.waiting.peek().writtenMs());
      }
    }
    Source first = null;
    for (Source source : sources.values()) {
      Batch head = source.waiting.peek();
      if (head != null
          && head.writtenMs() <= writtenMs + SKEW_MS
          && (first == null || head.firstMs() < first.waiting.peek().firstMs())) {
        first = source;
      }
    }
    return first;
  }

  private Frontier frontier(long nowMs) {
    Source slowest = null;
    long slowestMs = Long.MAX_VALUE;
    long nextMs = Long.MAX_VALUE;
    for (Source source : sources.values()) {
      boolean waitedFor = nowMs - source.advancedMs <= maxWaitMs;
      long completeMs = waitedFor ? source.completeMs : Long.MAX_VALUE;
      if (completeMs < slowestMs) {
        nextMs = slowestMs;
        slowestMs = completeMs;
        slowest = source;
      } else {
        nextMs = Math.min(nextMs, completeMs);
      }
    }
    return new Frontier(slowest, slowestMs, nextMs);
  }

  /**
   * How far all sources are complete, and all but the slowest: a source need not wait for itself.
   */
  private record Frontier(Source slowest, long slowestMs, long nextMs) {
    long before(Source source) {
      return source == slowest ? nextMs : slowestMs;
    }
  }
}
