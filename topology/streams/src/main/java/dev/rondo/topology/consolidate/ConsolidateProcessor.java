package dev.rondo.topology.consolidate;

import dev.rondo.schemas.EndOfPoints;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.TaskLag;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.policy.PolicyTransition;
import dev.rondo.topology.policy.VersionedPolicies;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentContext;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.SilenceClocks;
import dev.rondo.topology.segment.TaskClock;
import dev.rondo.topology.segment.TaskMemory;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one partition: its lifecycle, its clock and its policies. Points take the {@link PointPath}
 * into a {@link Segment}, which does the arithmetic; the {@link SeriesAdministration} handles
 * requests, and what is emitted passes the {@link TaskOutput}.
 */
final class ConsolidateProcessor
    extends ContextualProcessor<Integer, SpecificRecord, Object, Object> {
  private static final Duration RELEASE = Duration.ofMillis(50);
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Logger LOG = LoggerFactory.getLogger(ConsolidateProcessor.class);
  private static final long FORGET_INTERVAL_MS = Duration.ofMinutes(10).toMillis();
  private static final long CONFIRM_INTERVAL_MS = Duration.ofHours(1).toMillis();

  private final Consolidate.Settings settings;
  private final SeriesLocations locations;
  private final ConsolidateMetrics metrics;
  private final Drops drops;
  private final MemoryBudget memory;
  private final SourceMetrics sources;
  private final SeriesInquiry inquiry;
  private final Lag lag;
  private final TaskLag waiting = new TaskLag();
  private final PointArrival arrival;
  private final List<Cancellable> ticks = new ArrayList<>();
  private TaskClock clock;
  private SilenceClocks silence;
  private MergeBufferStore<SeriesIndex.Location> mergeBuffer;
  private SegmentStore segments;
  private SegmentCodec codec;
  private SeriesIndex index;
  private VersionedPolicies policies;
  private DeletedSeries deleted;
  private TaskOutput output;
  private SeriesAdministration administration;
  private PointPath path;

  /** When open slots were last emitted for {@code refresh.ms}, by the monotonic clock, ms. */
  private long refreshedMs;

  /** When old deletions were last looked for, by the monotonic clock, ms. */
  private long forgotMs;

  /** When locations were last marked as unconfirmed, by the monotonic clock, ms. */
  private long unconfirmedMs;

  ConsolidateProcessor(
      Consolidate.Settings settings,
      SeriesLocations locations,
      Drops drops,
      MemoryBudget memory,
      SourceMetrics sources,
      SeriesInquiry inquiry,
      MeterRegistry registry) {
    this.settings = settings;
    this.memory = memory;
    this.sources = sources;
    this.inquiry = inquiry;
    this.locations = locations;
    this.metrics = new ConsolidateMetrics(registry);
    this.drops = drops;
    this.lag = settings.progress().lag();
    this.arrival = new PointArrival(lag);
  }

  @Override
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    clock = new TaskClock(context.currentSystemTimeMs(), settings.maxFutureMs());
    mergeBuffer = context.getStateStore(Consolidate.MERGE_BUFFER_STORE);
    silence = new SilenceClocks();
    output =
        new TaskOutput(
            context,
            clock,
            metrics,
            drops,
            lag,
            (segment, series, tMs) -> administration.began(segment, series, tMs));
    SegmentContext task =
        new SegmentContext(
            settings.maxLingerMs(), clock, silence, TaskMemory.of(memory), arrival::get, output);
    segments = context.getStateStore(Consolidate.SEGMENTS_STORE);
    int version = segments.policyVersion();
    policies = version == 0 ? settings.policies().latest() : settings.policies().await(version);
    codec = new SegmentCodec(policies.policies(), settings.replayEpoch(), task, settings.format());
    segments.load(codec, policies.number());
    index =
        new SeriesIndex(
            context.taskId().partition(),
            settings.partitions(),
            settings.width(),
            segments,
            codec,
            context.getStateStore(Consolidate.LOCATIONS_STORE),
            sources);
    settings.merged().partitions().forEach(partition -> sources.topic(partition.topic()));
    mergeBuffer.load(merge(), commitsAtomically(), settings.replayEpoch());
    deleted =
        new DeletedSeries(
            context.getStateStore(Consolidate.DELETED_STORE), memory.deletionsBySource().open());
    administration =
        new SeriesAdministration(
            partition(),
            settings,
            index,
            locations,
            deleted,
            mergeBuffer,
            output,
            sources,
            metrics,
            drops,
            clock);
    path =
        new PointPath(
            context,
            isMerging(),
            clock,
            silence,
            mergeBuffer,
            index,
            deleted,
            administration,
            arrival,
            sources,
            drops);
    use(policies);
    start();
    inquiry.join(this);
    lag.add(waiting);
    if (isMerging()) {
      ticks.add(context.schedule(RELEASE, PunctuationType.WALL_CLOCK_TIME, this::release));
    }
    ticks.add(context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick));
  }

  /** Starts the clocks and the segments from the newest point in the restored state. */
  private void start() {
    long newestMs = Long.MIN_VALUE;
    for (Segment segment : segments.all()) {
      newestMs = Math.max(newestMs, segment.newestMs());
    }
    if (newestMs != Long.MIN_VALUE) {
      clock.see(newestMs);
      silence.see(clock.newestMs());
    }
    segments.all().forEach(Segment::start);
    unconfirmedMs = clock.nowMs();
    forgotMs = clock.nowMs();
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
    inquiry.leave(this);
    lag.remove(waiting);
    metrics.remove();
    if (deleted != null) {
      deleted.close();
    }
    if (index != null) {
      index.close();
      index = null;
      administration = null; // has the index, too
      path = null;
    }
  }

  private int partition() {
    return context().taskId().partition();
  }

  private boolean isMerging() {
    return settings.merged().isMerging();
  }

  private boolean commitsAtomically() {
    return StreamsConfig.EXACTLY_ONCE_V2.equals(
        context().appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
  }

  private SourceMerge<SeriesIndex.Location> merge() {
    MergedPartitions merged = settings.merged();
    return new SourceMerge<>(
        merged.partitions().stream().map(SourceHeaders::id).map(ByteBuffer::wrap).toList(),
        id -> merged.includes(SourceHeaders.topic(id)), // others left points before the start
        settings.maxWaitMs(),
        memory.mergeBySource(),
        settings.progress()::ends,
        index::find,
        lag,
        clock.wallMs());
  }

  @Override
  public void process(Record<Integer, SpecificRecord> record) {
    clock.update(context().currentSystemTimeMs());
    takeLatestPolicies(); // before the first point of a replay, which may be for a new archive
    if (record.value() instanceof Points points) {
      path.take(points, record.headers(), record.timestamp());
    } else if (record.value() instanceof SeriesRequest request) {
      handle(request);
    }
    metrics.report();
  }

  private void handle(SeriesRequest request) {
    if (request.getRequest() instanceof EndOfPoints) {
      end();
    } else {
      administration.handle(request);
    }
  }

  /** Nothing follows: emits what is buffered, and the open slots. */
  private void end() {
    path.releaseAll();
    segments.all().forEach(Segment::end);
  }

  private void release(long wallMs) {
    clock.update(wallMs);
    takeLatestPolicies();
    metrics.evicted(path.release());
    metrics.report();
  }

  private void tick(long wallMs) {
    clock.update(wallMs);
    if (!isMerging()) {
      path.releaseAll();
    }
    takeLatestPolicies();
    inquiry.answer(this, this::state);
    if (clock.newestMs() == Long.MIN_VALUE) {
      updateLag();
      return; // no point yet
    }
    if (settings.emitsByTime()) {
      emitByTime();
    } else {
      segments.all().forEach(Segment::sendLingering);
    }
    emitLocationsAgain();
    if (clock.nowMs() - forgotMs >= FORGET_INTERVAL_MS) {
      forgotMs = clock.nowMs();
      deleted.forgetOld(clock.newestMs());
    }
    arrival.end();
    updateLag();
    metrics.report();
  }

  /** What this task knows of a series; null if nothing. */
  SeriesState state(String ident) {
    SeriesIndex.Location known = index.find(ident);
    int merging = mergeBuffer.buffered(ident);
    return known == null && merging == 0
        ? null
        : new SeriesState(
            partition(),
            policies.number(),
            known == null ? null : SeriesState.Location.of(known),
            merging,
            merging == 0 ? List.of() : mergeBuffer.awaited());
  }

  private void updateLag() {
    waiting.update(
        mergeBuffer.buffered(),
        mergeBuffer.heldBack(),
        segments.all().stream().map(Segment::lingering).filter(Objects::nonNull).toList());
  }

  private void emitByTime() {
    boolean refresh = clock.nowMs() - refreshedMs >= settings.refreshMs();
    if (refresh) {
      refreshedMs = clock.nowMs();
    }
    for (Segment segment : segments.all()) {
      segment.tick(refresh ? settings.refreshMs() : Long.MAX_VALUE);
      segment.forEachExpired(series -> administration.retire(segment, series));
    }
  }

  /** The next commit writes the change, with all that it emits. */
  private void takeLatestPolicies() {
    VersionedPolicies latest = settings.policies().latest();
    if (latest.is(policies)) {
      return;
    }
    codec.use(latest.policies());
    segments.take(latest.number());
    PolicyChange change =
        new PolicyChange(
            new PolicyTransition(policies.policies(), latest.policies()), segments, index);
    int staying = change.make(output::location, mergeBuffer::retired, mergeBuffer::registered);
    if (staying > 0) {
      metrics.staying(staying);
      LOG.warn(
          "partition {}: {} series stay where they were before version {} of the policies, as all {}"
              + " segments are used: docs/runbooks/RondoSegmentsNearlyUsed.md",
          partition(),
          staying,
          latest.number(),
          SegmentNumber.MAX_SEGMENTS);
    }
    use(latest);
  }

  private void use(VersionedPolicies latest) {
    policies = latest;
    administration.use(latest.policies());
    path.use(latest.policies());
    metrics.add(context().taskId().toString(), latest, index);
  }

  /** After the start and once an hour only, because two tasks emit a series that is in both. */
  private void emitLocationsAgain() {
    administration.emitLocationsAgain(segments.all());
    if (clock.nowMs() - unconfirmedMs >= CONFIRM_INTERVAL_MS) {
      unconfirmedMs = clock.nowMs();
      segments.all().forEach(Segment::unconfirmLocations);
    }
  }
}
