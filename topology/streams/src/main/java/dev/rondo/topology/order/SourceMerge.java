package dev.rondo.topology.order;

import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Merges the points of several source partitions. Kafka keeps order within a partition only, but a
 * collector that sends without a key, or with a random one, spreads a series over all of them, and
 * tasks read a backlog at their own paces. So a batch leaves once no partition can bring an older
 * point of its series any more, and each of its points behind the older ones of its series ({@link
 * SeriesQueues}). There are two proofs of that, and no clock in either:
 *
 * <pre>
 *   in a backlog   the fronts of all partitions, which are their newest record times, are ahead
 *                  of that of the batch by more than fronts may be apart; all partitions that
 *                  were listed after the batch was written
 *
 *   points/0   1 ────── 4 ─ 5 ═════════╡ front         may leave: 1 2 3 4
 *   points/1      2 ─ 3 ────── 6 ═══╡ front            waits: 5, 6
 *
 *   at the end     all partitions are decoded up to where they ended after the batch was written
 *                  ({@link EndOffsetsReached})
 * </pre>
 *
 * <p>What leaves first does not depend on how fast each partition was read, so a replay sees the
 * same order.
 */
public final class SourceMerge {
  /**
   * A sender fills its batches partition by partition: so much may their order of writing differ.
   */
  static final long SKEW_MS = 500;

  /** A longer silence of all sources together is not held against one of them. */
  private static final long SILENCE_MS = 1_000;

  private final Predicate<ByteBuffer> isRead;
  private final long maxWaitMs;
  private final MergeMemory memory;
  private final Supplier<EndOffsets> ends;
  private final EndOffsetsReached reached = new EndOffsetsReached(SKEW_MS);
  private final Map<ByteBuffer, SourcePartition> sources = new HashMap<>();
  private final Set<TopicPartition> met = new HashSet<>();
  private final SeriesQueues series;
  private int waiting;

  /** When the last news of any source came, by the clock, and how long they came until then, ms. */
  private long lastSeenMs;

  private long listenedMs;

  /**
   * Nothing is buffered.
   *
   * @param expected the source partitions; one more that is met is waited for from then on
   * @param isRead whether a source partition is read still; one that has only left something behind
   *     is not waited for
   * @param maxWaitMs a partition that has not advanced for this long, while others did, is not
   *     waited for
   * @param memory of all merges of the instance; while it is full, the first batch is evicted
   * @param ends the latest known ends of the source partitions; while none are known the expected
   *     ones are all there are
   * @param nowMs the clock, epoch ms
   */
  public SourceMerge(
      Collection<ByteBuffer> expected,
      Predicate<ByteBuffer> isRead,
      long maxWaitMs,
      MemoryAccount memory,
      Supplier<EndOffsets> ends,
      long nowMs) {
    this.isRead = isRead;
    this.maxWaitMs = maxWaitMs;
    this.memory = new MergeMemory(memory);
    this.series = new SeriesQueues(this.memory);
    this.ends = ends;
    this.lastSeenMs = nowMs;
    expected.forEach(this::source);
  }

  private SourcePartition source(ByteBuffer id) {
    return sources.computeIfAbsent(
        id, met -> new SourcePartition(met, isRead.test(met), listenedMs));
  }

  /**
   * Buffers a batch; what its partition held before it has arrived, and was added before it unless
   * it has left.
   *
   * @param without indexes of its points that have left before; null = none
   */
  public void add(Batch batch, BitSet without) {
    SourcePartition source = source(batch.source());
    source.batches.add(batch);
    series.add(batch, source, without);
    waiting++;
    memory.add(batch);
  }

  /** Says how far a source partition has been decoded; its points up to there were added. */
  public void reach(ByteBuffer source, Progress progress, long nowMs) {
    hear(nowMs);
    source(source).reach(progress, listenedMs);
  }

  /** The broker or this instance may have been away: then all sources are late alike. */
  private void hear(long nowMs) {
    listenedMs += Math.max(0, Math.min(nowMs - lastSeenMs, SILENCE_MS));
    lastSeenMs = nowMs;
  }

  /**
   * Hands on, each series in its order, the points that need not wait any longer. Returns how many
   * points had to leave because too many were buffered.
   */
  public int release(PointSink sink) {
    ask(ends.get());
    Gate gate = gate();
    PriorityQueue<SourcePartition> open =
        new PriorityQueue<>(
            Comparator.comparingLong(source -> source.batches.peek().streamTimeMs()));
    sources.values().stream().filter(gate::isOpen).forEach(open::add);
    while (!open.isEmpty()) {
      SourcePartition source = open.remove();
      leave(source, gate.allowanceMs(), sink);
      if (gate.isOpen(source)) {
        open.add(source);
      }
    }
    return evict(gate.allowanceMs(), sink);
  }

  private void ask(EndOffsets latest) {
    if (reached.ask(latest)) {
      latest.offsets().keySet().forEach(this::met);
      for (SourcePartition source : sources.values()) {
        if (isDecoded(source, latest)) {
          source.rest(listenedMs);
        }
      }
    }
    reached.reach(this::isDecoded);
  }

  private void met(TopicPartition partition) {
    if (met.add(partition)) {
      source(ByteBuffer.wrap(SourceHeaders.id(partition)));
    }
  }

  private int evict(long allowanceMs, PointSink sink) {
    int evicted = 0;
    while (waiting > 0 && memory.isFull()) {
      SourcePartition first = first();
      evicted += first.batches.peek().points().size();
      leave(first, allowanceMs, sink);
    }
    return evicted;
  }

  private SourcePartition first() {
    return sources.values().stream()
        .filter(source -> !source.batches.isEmpty())
        .min(Comparator.comparingLong(source -> source.batches.peek().streamTimeMs()))
        .orElseThrow();
  }

  private void leave(SourcePartition source, long allowanceMs, PointSink sink) {
    Batch batch = source.batches.remove();
    series.release(batch, source, batch.streamTimeMs() + allowanceMs, sink);
    waiting--;
    memory.remove(batch);
  }

  /** Hands on, each series in its order, all that is buffered. */
  public void releaseAll(PointSink sink) {
    while (waiting > 0) {
      leave(first(), Long.MAX_VALUE / 2, sink);
    }
  }

  /** Forgets all that is buffered; nothing is asked of it any more. */
  public void close() {
    memory.close();
    waiting = 0;
  }

  /** By how much the fronts of source partitions may be apart, ms. */
  public long allowanceMs() {
    long disorderMs = 0;
    for (SourcePartition source : sources.values()) {
      disorderMs = Math.max(disorderMs, source.progress().disorderMs());
    }
    return SKEW_MS + disorderMs;
  }

  /** Which batches may leave now. */
  private record Gate(
      long allowanceMs, long streamTimeMs, EndOffsets safe, List<OpenUntil> moments) {
    boolean isOpen(SourcePartition source) {
      Batch batch = source.batches.peek();
      if (batch == null) {
        return false;
      }
      long untilMs = batch.streamTimeMs() + allowanceMs;
      if (untilMs <= streamTimeMs || isBefore(batch, source, safe)) {
        return true;
      }
      for (OpenUntil moment : moments) { // no stream: this runs once a batch
        if (untilMs <= moment.streamTimeMs && isBefore(batch, source, moment.before)) {
          return true;
        }
      }
      return false;
    }

    private static boolean isBefore(Batch batch, SourcePartition source, EndOffsets before) {
      return source.isRead ? batch.offset() < before.of(source.partition) : before.areKnown();
    }
  }

  /**
   * For batches before the ends of a moment only the partitions count that can still bring what was
   * written by then. The partitions were listed after it, so that none is missing among them.
   *
   * @param streamTimeMs of those partitions the earliest
   */
  private record OpenUntil(EndOffsets before, long streamTimeMs) {}

  private Gate gate() {
    return new Gate(
        allowanceMs(),
        ends.get().areKnown() ? Long.MIN_VALUE : streamTimeMs(source -> true),
        reached.safe(),
        reached.awaited().stream()
            .map(m -> new OpenUntil(m.before(), streamTimeMs(s -> !isDecoded(s, m.ends()))))
            .toList());
  }

  private long streamTimeMs(Predicate<SourcePartition> counts) {
    long streamTimeMs = Long.MAX_VALUE;
    for (SourcePartition source : sources.values()) {
      if (isAwaited(source) && counts.test(source)) {
        streamTimeMs = Math.min(streamTimeMs, source.progress().streamTimeMs());
      }
    }
    return streamTimeMs;
  }

  private boolean isAwaited(SourcePartition source) {
    return source.isRead && listenedMs - source.changedMs() <= maxWaitMs;
  }

  private boolean isDecoded(EndOffsets moment) {
    return sources.values().stream()
        .noneMatch(source -> isAwaited(source) && !isDecoded(source, moment));
  }

  private static boolean isDecoded(SourcePartition source, EndOffsets moment) {
    return source.progress().position() >= moment.of(source.partition);
  }
}
