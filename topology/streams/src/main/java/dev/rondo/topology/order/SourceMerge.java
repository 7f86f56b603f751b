package dev.rondo.topology.order;

import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.order.EndOffsetsReached.Target;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Merges the points of several source partitions in time order. Kafka keeps order within a
 * partition only, but collectors that send records with null or random keys spread a series over
 * all partitions, and tasks read a backlog at different speeds. So a batch is buffered until no
 * partition can bring an older point; then each point is released after the older points of its
 * series ({@link SeriesQueues}). Either of two conditions proves that; neither compares two clocks:
 *
 * <pre>
 *   in a backlog   the stream times of all partitions that were listed after the batch was written
 *                  are past that of the batch by more than the allowance ({@link #allowanceMs})
 *
 *   points/0   1 ────── 4 ─ 5 ═════════╡ stream time      released: 1 2 3 4
 *   points/1      2 ─ 3 ────── 6 ═══╡ stream time         buffered: 5, 6
 *
 *   at the end     all partitions are decoded up to end offsets that were fetched after the batch
 *                  was written ({@link EndOffsetsReached})
 * </pre>
 *
 * <p>The order does not depend on consumption speed, so a replay sees the same order.
 *
 * @param <S> class of the known series
 */
public final class SourceMerge<S extends BufferedSeries> {
  /**
   * By how much the write order of records may differ from their send order, ms: a producer fills
   * its batches partition by partition.
   */
  static final long SKEW_MS = 500;

  /**
   * The same in a backlog. It is longer because a stalled broker writes records sent within
   * milliseconds further apart, and because a delay does no harm there.
   */
  private static final long BACKLOG_SKEW_MS = 2_000;

  /** A longer silence of all sources is not the inactivity of one of them. */
  private static final long MAX_SILENCE_MS = 1_000;

  private final Predicate<ByteBuffer> isRead;
  private final long maxWaitMs;
  private final Lag lag;
  private final FairMemory memory;
  private final Supplier<EndOffsets> ends;
  private final EndOffsetsReached reached = new EndOffsetsReached(SKEW_MS);
  private final Map<ByteBuffer, SourcePartition> sources = new HashMap<>();
  private final Map<String, MergeMemory> topics = new HashMap<>();
  private final Set<TopicPartition> listedOnce = new HashSet<>();
  private final SeriesQueues<S> series;

  private EndOffsets latest = EndOffsets.NONE;

  private int bufferedBatches;

  /** Wall clock when any source last reported progress, epoch ms. */
  private long lastProgressMs;

  /** Total time in which sources reported progress, without longer silences, ms. */
  private long activeMs;

  /**
   * Creates an empty merge.
   *
   * @param expected the source partitions; the merge adds others when it first sees them
   * @param isRead whether a source partition is still read; the merge waits only for those
   * @param maxWaitMs how long the merge waits for a partition that does not advance while others do
   * @param memory memory shared by all merges of the instance; while it is full, topics that exceed
   *     their share are evicted, oldest batches first
   * @param ends latest end offsets of the source partitions; until they are known, the merge waits
   *     for all expected partitions
   * @param find finds a series by ident; returns null if it is not known
   * @param lag measures released points
   * @param nowMs wall clock, epoch ms
   */
  public SourceMerge(
      Collection<ByteBuffer> expected,
      Predicate<ByteBuffer> isRead,
      long maxWaitMs,
      FairMemory memory,
      Supplier<EndOffsets> ends,
      Function<String, S> find,
      Lag lag,
      long nowMs) {
    this.isRead = isRead;
    this.maxWaitMs = maxWaitMs;
    this.lag = lag;
    this.memory = memory;
    this.series = new SeriesQueues<>(find);
    this.ends = ends;
    this.lastProgressMs = nowMs;
    expected.forEach(this::source);
  }

  private SourcePartition source(ByteBuffer id) {
    return sources.computeIfAbsent(
        id, added -> new SourcePartition(added, isRead.test(added), memory(added), activeMs, lag));
  }

  private MergeMemory memory(ByteBuffer source) {
    return topics.computeIfAbsent(
        SourceHeaders.topic(source), topic -> new MergeMemory(memory, topic));
  }

  /**
   * Buffers a batch. Batches of a partition are added in offset order.
   *
   * @param released indexes of already released points; null = none
   */
  public void add(Batch batch, BitSet released) {
    SourcePartition source = source(batch.source());
    source.add(series.add(batch, source, released));
    bufferedBatches++;
    source.memory.add(batch);
  }

  /** Moves buffered points to a series that the index now knows. */
  public void registered(S added) {
    series.registered(added);
  }

  /** Keeps the buffered points of a series that the index no longer knows. */
  public void retired(S removed) {
    series.retired(removed);
  }

  /** Updates the progress of a source partition. All its points up to there have been added. */
  public void reach(ByteBuffer id, Progress progress, long nowMs) {
    updateActiveTime(nowMs);
    SourcePartition source = source(id);
    source.reach(progress, activeMs);
    source.memory.report();
  }

  /** Updates the instance's memory account, as {@link #reach} and releases also do. */
  public void reportMemory() {
    topics.values().forEach(MergeMemory::report);
  }

  /** Caps silences: while the broker or this instance is down, all sources are late. */
  private void updateActiveTime(long nowMs) {
    activeMs += Math.max(0, Math.min(nowMs - lastProgressMs, MAX_SILENCE_MS));
    lastProgressMs = nowMs;
  }

  /**
   * Releases the points that no older point can precede, each series in order. Returns how many
   * points were evicted for lack of memory.
   */
  public int release(MergeSink<S> sink) {
    updateEnds(ends.get());
    Gate gate = gate();
    PriorityQueue<SourcePartition> open =
        new PriorityQueue<>(Comparator.comparingLong(source -> source.first().streamTimeMs()));
    sources.values().stream().filter(gate::isOpen).forEach(open::add);
    while (!open.isEmpty()) {
      SourcePartition source = open.remove();
      releaseHead(source, gate.allowanceMs(), sink);
      if (gate.isOpen(source)) {
        open.add(source);
      }
    }
    int evicted = evict(gate.allowanceMs(), sink);
    report();
    return evicted;
  }

  private void updateEnds(EndOffsets now) {
    if (now.requestedMs() != latest.requestedMs()) {
      latest = now;
      latest.offsets().keySet().forEach(this::addIfUnknown);
      for (SourcePartition source : sources.values()) {
        source.setListed(latest.offsets().containsKey(source.partition));
        if (!isOffline(source) && isDecoded(source, latest)) {
          source.markIdle(activeMs);
        }
      }
    }
    if (sources.values().stream().noneMatch(s -> isOffline(s) && isAwaited(s))) {
      reached.add(latest);
    }
    reached.advance(this::isDecoded);
  }

  /** Whether a partition has no leader, and may have records that cannot be read now. */
  private boolean isOffline(SourcePartition source) {
    return latest.offline().contains(source.partition);
  }

  private void addIfUnknown(TopicPartition partition) {
    if (listedOnce.add(partition)) {
      source(ByteBuffer.wrap(SourceHeaders.id(partition)));
    }
  }

  private int evict(long allowanceMs, MergeSink<S> sink) {
    reportMemory();
    if (!memory.isFull()) {
      return 0;
    }
    int evicted = 0;
    for (MergeMemory topic : topics.values()) {
      Optional<SourcePartition> first = first(source -> source.memory == topic);
      while (first.isPresent() && topic.exceeds()) {
        evicted += first.get().first().points().size();
        releaseHead(first.get(), allowanceMs, sink);
        first = first(source -> source.memory == topic);
      }
    }
    return evicted;
  }

  private Optional<SourcePartition> first(Predicate<SourcePartition> of) {
    return sources.values().stream()
        .filter(source -> !source.isEmpty() && of.test(source))
        .min(Comparator.comparingLong(source -> source.first().streamTimeMs()));
  }

  private SourcePartition first() {
    return first(source -> true).orElseThrow();
  }

  private void releaseHead(SourcePartition source, long allowanceMs, MergeSink<S> sink) {
    BufferedBatch buffered = source.remove();
    Batch batch = buffered.batch;
    series.release(buffered, source, batch.streamTimeMs() + allowanceMs, sink);
    source.released.add(batch.offset(), batch.streamTimeMs(), batch.points().size());
    bufferedBatches--;
    source.memory.remove(batch);
  }

  /** Releases all buffered points, each series in order. */
  public void releaseAll(MergeSink<S> sink) {
    while (bufferedBatches > 0) {
      releaseHead(first(), Long.MAX_VALUE / 2, sink);
    }
    report();
  }

  private void report() {
    reportMemory();
    sources.values().forEach(source -> source.released.report());
  }

  /** Returns the arrival of the first buffered batch of each source partition. */
  public List<Arrival> buffered() {
    return sources.values().stream().filter(s -> s.first() != null).map(this::arrival).toList();
  }

  private Arrival arrival(SourcePartition source) {
    Batch first = source.first();
    return lag.arrival(source.partition, first.offset(), first.streamTimeMs());
  }

  /**
   * Returns the source partition that the merge waits for, with the arrival of the first batch held
   * back; null if there is none. It is the one furthest behind of those without a leader or not
   * decoded up to the awaited end offsets.
   */
  public Arrival heldBack() {
    if (bufferedBatches == 0) {
      return null;
    }
    EndOffsets awaited =
        reached.oldestAndNewest().stream().findFirst().map(Target::ends).orElse(EndOffsets.NONE);
    return notDecoded(awaited)
        .min(Comparator.comparingLong(source -> source.progress().streamTimeMs()))
        .map(source -> new Arrival(source.partition, arrival(first()).atMs()))
        .orElse(null);
  }

  /** Number of buffered points of a series. */
  public int buffered(String ident) {
    return series.buffered(ident);
  }

  /** Returns the source partitions that are not decoded up to the first awaited end offsets. */
  public List<TopicPartition> awaited() {
    EndOffsets awaited =
        reached.oldestAndNewest().stream().findFirst().map(Target::ends).orElseGet(ends);
    return notDecoded(awaited).map(source -> source.partition).toList();
  }

  private Stream<SourcePartition> notDecoded(EndOffsets awaited) {
    return sources.values().stream()
        .filter(source -> isAwaited(source))
        .filter(source -> isOffline(source) || !isDecoded(source, awaited));
  }

  /** Discards all buffered points; the merge must not be used afterwards. */
  public void close() {
    topics.values().forEach(MergeMemory::close);
    bufferedBatches = 0;
  }

  /** How far apart the stream times of source partitions may be, ms. */
  public long allowanceMs() {
    long disorderMs = 0;
    for (SourcePartition source : sources.values()) {
      disorderMs = Math.max(disorderMs, source.progress().disorderMs());
    }
    return BACKLOG_SKEW_MS + disorderMs;
  }

  /**
   * Decides which batches may be released now.
   *
   * @param streamTimeMs stream time of the slowest partition, epoch ms, while no ends are known
   * @param ends latest end offsets
   * @param safe batches before these end offsets may be released
   */
  private record Gate(
      long allowanceMs,
      long streamTimeMs,
      EndOffsets ends,
      EndOffsets safe,
      List<OpenUntil> bounds) {
    boolean isOpen(SourcePartition source) {
      Batch batch = source.first();
      if (batch == null) {
        return false;
      }
      long untilMs = batch.streamTimeMs() + allowanceMs;
      if (untilMs <= streamTimeMs || isBefore(batch, source, safe)) {
        return true;
      }
      for (OpenUntil bound : bounds) { // no stream: this runs once per batch
        if (untilMs <= bound.streamTimeMs && isBefore(batch, source, bound.before)) {
          return true;
        }
      }
      return false;
    }

    /**
     * A batch of a previous log precedes all known end offsets, unless its offset is in the current
     * log: the log may be read again.
     */
    private boolean isBefore(Batch batch, SourcePartition source, EndOffsets before) {
      boolean isInLog = source.isFirstRead() || batch.offset() < ends.of(source.partition);
      return isInLog ? batch.offset() < before.of(source.partition) : before.areKnown();
    }
  }

  /**
   * Batches before these end offsets wait only for partitions that are not decoded up to the end
   * offsets of the target. The target lists all partitions that existed when the batches were
   * written.
   *
   * @param streamTimeMs earliest stream time of those partitions
   */
  private record OpenUntil(EndOffsets before, long streamTimeMs) {}

  private Gate gate() {
    return new Gate(
        allowanceMs(),
        latest.areKnown() ? Long.MIN_VALUE : streamTimeMs(source -> true),
        latest,
        reached.safe(),
        reached.oldestAndNewest().stream()
            .map(t -> new OpenUntil(t.before(), streamTimeMs(s -> !isDecoded(s, t.ends()))))
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
    return source.isRead() && activeMs - source.advancedMs() <= maxWaitMs;
  }

  private boolean isDecoded(EndOffsets ends) {
    return sources.values().stream()
        .noneMatch(source -> isAwaited(source) && !isDecoded(source, ends));
  }

  private static boolean isDecoded(SourcePartition source, EndOffsets ends) {
    return source.progress().position() >= ends.of(source.partition);
  }
}
