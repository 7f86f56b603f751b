package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.archive.ReorderWindow;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows.RowSink;
import dev.rondo.topology.rows.RowMessages;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Consolidates the points of one partition into rows of closed slots, and assigns locations to new
 * series. A point costs one look-up of its series and arithmetic on arrays of its segment.
 */
final class ConsolidateProcessor extends ContextualProcessor<Integer, Points, Object, Object> {
  private static final Duration RELEASE = Duration.ofMillis(50);
  private static final Duration TICK = Duration.ofMillis(500);
  private static final long CONFIRM_INTERVAL_MS = Duration.ofHours(1).toMillis();

  private final Consolidate.Settings settings;
  private final SeriesLocations locations;
  private final ConsolidateMetrics metrics;
  private final Drops drops;
  private final MemoryBudget memory;
  private final ReorderWindow.Target toSlots = this::take;
  private final SlotSink toRows = this::bufferRow;
  private final RowSink toTopic = this::send;

  private final List<Cancellable> ticks = new ArrayList<>();
  private MergeBufferStore mergeBuffer;
  private SegmentStore segments;
  private SeriesIndex index;
  private MonotonicClock steady;
  private StreamTime time;
  private ArrivalTimes arrivals;
  private NewSeriesRateLimit newSeries;
  private long refreshedMs;
  private long unconfirmedMs;

  /**
   * The segment and the clock that {@link #toSlots}, {@link #toRows} and {@link #toTopic} are
   * called for.
   */
  private Segment current;

  private long wallMs;

  /** {@link #wallMs} without its jumps. */
  private long nowMs;

  ConsolidateProcessor(
      Consolidate.Settings settings,
      SeriesLocations locations,
      Drops drops,
      MemoryBudget memory,
      MeterRegistry registry) {
    this.settings = settings;
    this.memory = memory;
    this.locations = locations;
    this.metrics = new ConsolidateMetrics(registry);
    this.drops = drops;
  }

  @Override
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    steady = new MonotonicClock(context.currentSystemTimeMs());
    look(context.currentSystemTimeMs());
    mergeBuffer = context.getStateStore(Consolidate.MERGE_BUFFER_STORE);
    mergeBuffer.load(merge(wallMs), commitsAtomically(), settings.replayEpoch());
    segments = context.getStateStore(Consolidate.SEGMENTS_STORE);
    SegmentCodec codec =
        new SegmentCodec(
            settings.policies(),
            settings.maxLingerMs(),
            settings.replayEpoch(),
            TaskMemory.of(memory),
            settings.format());
    segments.load(codec, nowMs);
    index =
        new SeriesIndex(
            context.taskId().partition(),
            settings.partitions(),
            settings.width(),
            segments,
            codec,
            context.getStateStore(Consolidate.LOCATIONS_STORE));
    metrics.showSeries(context.taskId().toString(), index::size);
    time = new StreamTime(Math.min(newestMs(), wallMs), nowMs);
    arrivals = codec.arrivals();
    newSeries =
        new NewSeriesRateLimit(
            settings.newSeriesPerSecond(), settings.newSeriesBurst(), settings.partitions());
    if (time.newestMs() != Long.MIN_VALUE) {
      arrivals.see(time.newestMs());
    }
    for (Segment segment : segments.all()) {
      segment.countLive(time.newestMs());
      segment.listenFrom(nowMs);
    }
    unconfirmLocations();
    if (isMerging()) {
      ticks.add(context.schedule(RELEASE, PunctuationType.WALL_CLOCK_TIME, this::release));
    }
    ticks.add(context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick));
  }

  /**
   * Stops the task, which may only be suspended: {@link #init} is called again when it resumes.
   * Streams may keep the processor of a task that becomes a standby, with its punctuators. The
   * stores return their memory when they are closed, because a suspended task may still be
   * committed.
   */
  @Override
  public void close() {
    ticks.forEach(Cancellable::cancel);
    ticks.clear();
    metrics.hideSeries(context().taskId().toString());
    index = null;
    current = null;
  }

  private void look(long clockMs) {
    wallMs = clockMs;
    nowMs = steady.at(clockMs);
  }

  private boolean isMerging() {
    return settings.merged().isMerging();
  }

  private boolean commitsAtomically() {
    return StreamsConfig.EXACTLY_ONCE_V2.equals(
        context().appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
  }

  private long newestMs() {
    long newestMs = Long.MIN_VALUE;
    for (Segment segment : segments.all()) {
      for (int series = 0; series < segment.width(); series++) {
        newestMs = Math.max(newestMs, segment.newestMs(series));
      }
    }
    return newestMs;
  }

  private SourceMerge merge(long nowMs) {
    MergedPartitions merged = settings.merged();
    return new SourceMerge(
        merged.partitions().stream().map(SourceHeaders::id).map(ByteBuffer::wrap).toList(),
        id -> merged.includes(SourceHeaders.topic(id)), // others left something before the start
        settings.maxWaitMs(),
        memory.merge(),
        settings.progress()::ends,
        nowMs);
  }

  @Override
  public void process(Record<Integer, Points> record) {
    look(context().currentSystemTimeMs());
    Header source = record.headers().lastHeader(SourceHeaders.SOURCE_HEADER);
    if (source == null) {
      add(record.value().getPolicy(), record.value().getPoints());
    } else if (isMerging()) {
      merge(source.value(), record);
    } else {
      releaseAll();
      add(record.value().getPolicy(), record.value().getPoints());
    }
  }

  private void merge(byte[] source, Record<Integer, Points> record) {
    if (SourceHeaders.holdProgress(record.headers())) {
      SourceHeaders.forEachProgress(
          record.headers(), (id, progress) -> mergeBuffer.reach(id, progress, wallMs));
    } else {
      Points points = record.value();
      Progress progress =
          SourceHeaders.forEachRecord(
              record.headers(),
              points.getPoints(),
              (offset, streamTimeMs, batch) ->
                  mergeBuffer.add(source, offset, streamTimeMs, points.getPolicy(), batch));
      mergeBuffer.reach(source, progress, wallMs);
    }
  }

  private void release(long clockMs) {
    look(clockMs);
    metrics.evicted(mergeBuffer.release(this::add));
  }

  /** Releases points buffered while the sources were merged; forwarding needs a first record. */
  private void releaseAll() {
    mergeBuffer.releaseAll(this::add);
  }

  private void add(Batch batch, int index) {
    Point point = batch.points().get(index);
    add(batch.policy(), point.getIdent(), point.getT(), point.getV());
  }

  private void add(String policy, List<Point> points) {
    for (Point point : points) {
      add(policy, point.getIdent(), point.getT(), point.getV());
    }
  }

  private void add(String policy, String ident, long tMs, double value) {
    SeriesIndex.Location location = index.find(ident);
    if (location == null) {
      location = register(policy, ident, tMs);
      if (location == null) {
        return;
      }
    }
    time.see(tMs, wallMs, nowMs);
    arrivals.see(time.newestMs());
    current = location.segment();
    int series = location.series();
    current.seen(series, nowMs);
    switch (current.add(series, tMs, value, toSlots)) {
      case EVICTED -> {
        metrics.evicted(1);
        segments.changed(current);
      }
      case DUPLICATE -> drop(DropReason.DUPLICATE_TIME, series, tMs);
      case LATE -> drop(DropReason.LATE, series, tMs);
      default -> {
        if (current.window.buffered(series) > 0) {
          segments.changed(current);
        }
      }
    }
  }

  /** Consolidates a point of the current segment that the reorder window has released. */
  private void take(int series, long tMs, double value) {
    switch (current.slots.add(series, tMs, value, toRows)) {
      case FIRST -> {
        current.live++;
        index.moveValidFrom(current, series, tMs).ifPresent(this::emit);
        stored();
      }
      case DUPLICATE -> drop(DropReason.DUPLICATE_TIME, series, tMs);
      case LATE -> drop(DropReason.LATE, series, tMs);
      default -> stored();
    }
  }

  private void drop(DropReason reason, int series, long tMs) {
    drops.count(reason, current.idents[series], tMs, current.newestMs(series));
  }

  private void stored() {
    metrics.stored();
    segments.changed(current);
  }

  private SeriesIndex.Location register(String hint, String ident, long tMs) {
    Optional<Policy> policy = // points decoded before a restart may name a removed policy
        settings.policies().named(hint).or(() -> settings.policies().of(Ident.parse(ident)));
    if (policy.isEmpty()) {
      drops.count(DropReason.NO_POLICY, ident, tMs);
      return null;
    }
    Optional<DropReason> refusal = index.refusal(policy.get());
    if (refusal.isEmpty() && !newSeries.take(Math.min(tMs, wallMs))) {
      refusal = Optional.of(DropReason.TOO_MANY_NEW_SERIES);
    }
    if (refusal.isPresent()) {
      drops.count(refusal.get(), ident, tMs);
      return null;
    }
    emit(index.register(ident, policy.get(), tMs));
    SeriesIndex.Location location = index.find(ident);
    location.segment().confirmed(location.series());
    return location;
  }

  private void emit(SeriesEntry entry) {
    context().forward(new Record<>(entry.getIdent(), entry, wallMs), Consolidate.SERIES_CHILD);
  }

  private void bufferRow(int archive, int series, long endMs, double value) {
    current.rows.set(archive, series, endMs, value, current.live, time.newestMs(), nowMs, toTopic);
  }

  private void send(int archive, long endMs, double[] values) {
    metrics.row(values.length);
    context()
        .forward(
            RowMessages.of(
                current.policy(),
                archive,
                current.number(),
                current.width(),
                endMs,
                values,
                wallMs),
            Consolidate.BUNDLE_ROWS_CHILD);
  }

  private void tick(long clockMs) {
    look(clockMs);
    if (!isMerging()) {
      releaseAll();
    }
    long partitionMs = time.atMs(nowMs);
    if (partitionMs == Long.MIN_VALUE) {
      return; // no point yet
    }
    boolean refresh = nowMs - refreshedMs >= settings.refreshMs();
    if (refresh) {
      refreshedMs = nowMs;
    }
    for (Segment segment : segments.all()) {
      current = segment;
      segment.releaseSilent(partitionMs, nowMs, toSlots);
      segment.countLive(partitionMs);
      segment.emit(
          partitionMs, refresh ? settings.refreshMs() : Long.MAX_VALUE, this::changedAndBuffer);
      if (segment.rows.sendLingering(partitionMs, nowMs, toTopic)) {
        segments.changed(segment);
      }
      retireExpired(segment, partitionMs);
      if (segment.arrival().mustBeWritten()) {
        segments.changed(segment);
      }
    }
    emitLocationsAgain();
  }

  /**
   * Emits the locations of series that were in another partition for a while, because their source
   * was keyed or had another key, and are back: the location there was emitted last. Checks after
   * the start and once an hour only, because two tasks emit a series that is in both.
   */
  private void emitLocationsAgain() {
    if (!locations.isKnown()) {
      return;
    }
    for (Segment segment : segments.all()) {
      segment.seenWhileUnconfirmed(series -> emitIfElsewhere(segment.idents[series]));
    }
    if (nowMs - unconfirmedMs >= CONFIRM_INTERVAL_MS) {
      unconfirmLocations();
    }
  }

  private void emitIfElsewhere(String ident) {
    if (ident != null && locations.isElsewhere(ident, context().taskId().partition())) {
      emit(index.entry(ident));
    }
  }

  private void unconfirmLocations() {
    unconfirmedMs = nowMs;
    segments.all().forEach(segment -> segment.unconfirmLocations(nowMs));
  }

  private void retireExpired(Segment segment, long partitionMs) {
    if (!segment.mayHaveExpired(nowMs)) {
      return;
    }
    for (int series = 0; series < segment.width(); series++) {
      if (segment.isExpired(series, partitionMs, nowMs)) {
        String ident = index.retire(segment, series);
        if (!locations.isElsewhere(ident, context().taskId().partition())) {
          context().forward(new Record<>(ident, null, wallMs), Consolidate.SERIES_CHILD);
        }
        metrics.retired();
      }
    }
    segment.noneHasExpired();
  }

  private void changedAndBuffer(int archive, int series, long endMs, double value) {
    segments.changed(current);
    bufferRow(archive, series, endMs, value);
  }
}
