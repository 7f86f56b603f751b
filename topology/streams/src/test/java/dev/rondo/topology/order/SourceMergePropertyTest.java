package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.SenderLogs.Sent;
import dev.rondo.topology.order.SenderLogs.Times;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.kafka.common.TopicPartition;

/**
 * The merge releases each series in time order, for any clocks of sender, broker and instance, and
 * any consumption speed.
 */
class SourceMergePropertyTest {
  private static final long MINUTE_MS = 60_000;
  private static final List<Long> SPANS_MS =
      List.of(10_000L, MINUTE_MS, 15 * MINUTE_MS, 24 * 60 * MINUTE_MS, 7 * 24 * 60 * MINUTE_MS);

  /**
   * Index of the longest span in which senders are dense. Records with old times do not show the
   * progress of a partition, so dense senders must write between them.
   */
  private static final int DENSE = 2;

  private List<List<Sent>> logs;
  private List<ByteBuffer> ids;
  private List<SourceStreamTime> streamTimes;
  private int[] read;
  private Times times;
  private Random random;
  private EndOffsets ends;
  private SourceMerge<BufferedSeries> merge;
  private long sequence;
  private long requestedMs;
  private final Map<String, List<Long>> released = new HashMap<>();

  /** Returns the number of partitions: where senders must be dense, one each at most. */
  private int begin(
      Times timesOfRecords,
      int mostPartitions,
      int senders,
      int span,
      long skewMs,
      long aheadMs,
      long seed) {
    times = timesOfRecords;
    random = new Random(seed);
    boolean isDense = times == Times.MEASURED;
    long spanMs = SPANS_MS.get(isDense ? Math.min(span, DENSE) : span);
    int partitions = isDense ? Math.min(mostPartitions, senders) : mostPartitions;
    logs = SenderLogs.of(random, times, partitions, senders, spanMs, skewMs, aheadMs);
    ids = IntStream.range(0, partitions).mapToObj(SourceMergePropertyTest::id).toList();
    streamTimes = ids.stream().map(id -> new SourceStreamTime()).toList();
    read = new int[partitions];
    ends = EndOffsets.NONE;
    released.clear();
    merge =
        new SourceMerge<>(
            ids,
            id -> true,
            120_000,
            new FairMemory(MemoryAccount.ofEntries(1 + 1_000_000)),
            () -> ends,
            ident -> null,
            new Lag(Clock.systemUTC()),
            0);
    return partitions;
  }

  private static TopicPartition partition(int number) {
    return new TopicPartition("lines", number);
  }

  private static ByteBuffer id(int number) {
    return ByteBuffer.wrap(SourceHeaders.id(partition(number)));
  }

  @Property(tries = 100)
  void shouldKeepEachSeriesInOrderThroughABacklog(
      @ForAll Times timesOfRecords,
      @ForAll @IntRange(min = 1, max = 64) int mostPartitions,
      @ForAll @IntRange(min = 1, max = 40) int senders,
      @ForAll @IntRange(min = 0, max = 4) int span,
      @ForAll boolean isSkewed,
      @ForAll long seed) {
    int partitions =
        begin(timesOfRecords, mostPartitions, senders, span, isSkewed ? MINUTE_MS : 0, 0, seed);
    readAll(partitions);
  }

  /** The clock of one sender is ahead by as much as the bound that is proposed for topics. */
  @Property(tries = 100)
  void shouldKeepTheSeriesOfOthersInOrderWhenASenderIsAhead(
      @ForAll @IntRange(min = 1, max = 64) int mostPartitions,
      @ForAll @IntRange(min = 1, max = 40) int senders,
      @ForAll @IntRange(min = 0, max = 4) int span,
      @ForAll boolean isSkewed,
      @ForAll @LongRange(min = 1, max = SourceStreamTime.MAX_BEHIND_MS) long aheadMs,
      @ForAll long seed) {
    readAll(
        begin(
            Times.CREATE, mostPartitions, senders, span, isSkewed ? MINUTE_MS : 0, aheadMs, seed));
  }

  /** Reads a backlog. */
  private void readAll(int partitions) {
    int unread = logs.stream().mapToInt(List::size).sum();
    while (unread > 0) {
      unread -= read(random.nextInt(partitions), Integer.MAX_VALUE);
      if (random.nextInt(5) == 0) {
        fetchEnds(requestedMs + random.nextInt(600), logs.stream().mapToLong(List::size).toArray());
      }
      if (random.nextInt(3) == 0) {
        merge.release(this::collect);
      }
    }
    end();
  }

  @Property(tries = 100)
  void shouldKeepEachSeriesInOrderWhilePointsFlow(
      @ForAll Times timesOfRecords,
      @ForAll @IntRange(min = 1, max = 64) int mostPartitions,
      @ForAll @IntRange(min = 1, max = 40) int senders,
      @ForAll @IntRange(min = 0, max = 4) int span,
      @ForAll boolean isSkewed,
      @ForAll long seed) {
    int partitions =
        begin(timesOfRecords, mostPartitions, senders, span, isSkewed ? MINUTE_MS : 0, 0, seed);
    long untilMs = logs.stream().flatMap(List::stream).mapToLong(Sent::appendedMs).max().orElse(0);
    long mostMs = Math.max(100, untilMs / 300);
    for (long nowMs = 0; nowMs <= untilMs; nowMs += 1 + random.nextLong(mostMs)) {
      long[] written = written(nowMs);
      for (int n = random.nextInt(2 * partitions); n > 0; n--) {
        int partition = random.nextInt(partitions);
        read(partition, (int) written[partition]);
      }
      if (random.nextBoolean()) {
        fetchEnds(nowMs, written);
      }
      merge.release(this::collect);
    }
    for (int partition = 0; partition < partitions; partition++) {
      while (read(partition, Integer.MAX_VALUE) > 0) {
        merge.release(this::collect);
      }
    }
    requestedMs = untilMs;
    end();
  }

  private long[] written(long nowMs) {
    return logs.stream()
        .mapToLong(log -> log.stream().filter(sent -> sent.appendedMs() <= nowMs).count())
        .toArray();
  }

  /** Reads some records of a partition before that offset; usually reports progress afterwards. */
  private int read(int partition, int before) {
    List<Sent> log = logs.get(partition);
    SourceStreamTime streamTime = streamTimes.get(partition);
    int from = read[partition];
    int until = Math.min(Math.min(log.size(), before), from + 1 + random.nextInt(20));
    List<Batch> batches = new ArrayList<>();
    for (int offset = from; offset < until; offset++) {
      Sent sent = log.get(offset);
      streamTime.add(sent.recordMs(), times != Times.LOG_APPEND);
      var point = new Point(sent.series(), sent.tMs(), 1.0);
      batches.add(
          new Batch(
              sequence++,
              ids.get(partition),
              offset,
              streamTime.streamTimeMs(),
              "",
              List.of(point)));
    }
    batches.forEach(batch -> merge.add(batch, null));
    if (until > from) {
      reach(partition, until - 1);
      read[partition] = until;
    }
    if (random.nextInt(3) > 0) {
      reach(partition, until);
    }
    return Math.max(0, until - from);
  }

  private void reach(int partition, long position) {
    SourceStreamTime streamTime = streamTimes.get(partition);
    merge.reach(
        ids.get(partition),
        new Progress(position, streamTime.streamTimeMs(), streamTime.disorderMs()),
        requestedMs);
  }

  private void fetchEnds(long nowMs, long[] offsets) {
    requestedMs = nowMs;
    Map<TopicPartition, Long> known = new HashMap<>();
    for (int partition = 0; partition < offsets.length; partition++) {
      known.put(partition(partition), offsets[partition]);
    }
    ends = new EndOffsets(known, nowMs);
  }

  private void collect(Batch batch, int index, BufferedSeries series) {
    Point point = batch.points().get(index);
    released.computeIfAbsent(point.getIdent(), ident -> new ArrayList<>()).add(point.getT());
  }

  /** Once all records are read, all points are released. */
  private void end() {
    long[] sizes = logs.stream().mapToLong(List::size).toArray();
    for (int partition = 0; partition < sizes.length; partition++) {
      reach(partition, sizes[partition]);
    }
    fetchEnds(requestedMs + 1_000, sizes);
    merge.release(this::collect);
    fetchEnds(requestedMs + 500, sizes);
    merge.release(this::collect);
    assertThat(released.values().stream().mapToInt(List::size).sum())
        .isEqualTo(logs.stream().mapToInt(List::size).sum());
    assertThat(released).allSatisfy((series, times) -> assertThat(times).as(series).isSorted());
  }
}
