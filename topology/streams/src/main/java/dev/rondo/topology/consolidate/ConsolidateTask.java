package dev.rondo.topology.consolidate;

import dev.rondo.schemas.EndOfPoints;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.TaskLag;
import dev.rondo.topology.memory.FairMemory;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An active partition: its clock, its policies and its periodic work. Points take the {@link
 * PointPath} into a {@link Segment}, which does the arithmetic. {@link SeriesAdministration}
 * handles requests; {@link TaskOutput} emits rows and locations.
 */
final class ConsolidateTask {
  private static final Logger LOG = LoggerFactory.getLogger(ConsolidateTask.class);
  private static final long FORGET_INTERVAL_MS = Duration.ofMinutes(10).toMillis();
  private static final long CONFIRM_INTERVAL_MS = Duration.ofHours(1).toMillis();

  private final Consolidate.Settings settings;
  private final TaskId id;
  private final SeriesInquiry inquiry;
  private final ConsolidateMetrics metrics;
  private final Lag lag;
  private final TaskLag waiting = new TaskLag();
  private final PointArrival arrival;
  private final TaskClock clock;
  private final SilenceClocks silence = new SilenceClocks();
  private final MergeBufferStore<SeriesIndex.Location> mergeBuffer;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final SeriesIndex index;
  private final DeletedSeries deleted;
  private final TaskOutput output;
  private final SeriesAdministration administration;
  private final PointPath path;
  private VersionedPolicies policies;

  /** When open slots were last emitted for {@code refresh.ms}, by the monotonic clock, ms. */
  private long refreshedMs;

  /** When old deletions were last removed, by the monotonic clock, ms. */
  private long cleanedMs;

  /** When locations were last marked as unconfirmed, by the monotonic clock, ms. */
  private long unconfirmedMs;

  /** Loads the state of the task from its stores. */
  ConsolidateTask(
      Consolidate.Shared shared,
      ConsolidateMetrics metrics,
      ProcessorContext<Object, Object> context) {
    settings = shared.settings();
    id = context.taskId();
    inquiry = shared.inquiry();
    this.metrics = metrics;
    lag = settings.progress().lag();
    arrival = new PointArrival(lag);
    clock = new TaskClock(context.currentSystemTimeMs(), settings.maxFutureMs());
    output = new TaskOutput(context, clock, metrics, shared.drops(), lag, this::began);
    segments = context.getStateStore(Consolidate.SEGMENTS_STORE);
    int version = segments.policyVersion();
    policies = version == 0 ? settings.policies().latest() : settings.policies().await(version);
    codec =
        new SegmentCodec(
            policies.policies(),
            settings.replayEpoch(),
            new SegmentContext(
                settings.maxLingerMs(),
                clock,
                silence,
                TaskMemory.of(shared.memory()),
                arrival::get,
                output),
            settings.format());
    segments.load(codec, policies.number());
    SourceMetrics sources = shared.sources();
    index =
        new SeriesIndex(
            id.partition(),
            settings.partitions(),
            settings.width(),
            segments,
            codec,
            context.getStateStore(Consolidate.LOCATIONS_STORE),
            sources);
    settings.merged().partitions().forEach(partition -> sources.topic(partition.topic()));
    mergeBuffer = context.getStateStore(Consolidate.MERGE_BUFFER_STORE);
    mergeBuffer.load(
        merge(shared.memory().mergeBySource()), commitsAtomically(context), settings.replayEpoch());
    deleted =
        new DeletedSeries(
            context.getStateStore(Consolidate.DELETED_STORE),
            shared.memory().deletionsBySource().open());
    administration =
        new SeriesAdministration(
            shared, id.partition(), index, deleted, mergeBuffer, output, metrics, clock);
    path =
        new PointPath(
            shared, context, clock, silence, mergeBuffer, index, deleted, administration, arrival);
    use(policies);
    start();
    inquiry.join(this);
    lag.add(waiting);
  }

  boolean isMerging() {
    return settings.merged().isMerging();
  }

  private static boolean commitsAtomically(ProcessorContext<?, ?> context) {
    return StreamsConfig.EXACTLY_ONCE_V2.equals(
        context.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
  }

  private SourceMerge<SeriesIndex.Location> merge(FairMemory memory) {
    MergedPartitions merged = settings.merged();
    return new SourceMerge<>(
        merged.partitions().stream().map(SourceHeaders::id).map(ByteBuffer::wrap).toList(),
        id -> merged.includes(SourceHeaders.topic(id)), // others left points before the start
        settings.maxWaitMs(),
        memory,
        settings.progress()::ends,
        index::find,
        lag,
        clock.wallMs());
  }

  /** Starts the clocks and segments from the newest restored point. */
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
    cleanedMs = clock.nowMs();
  }

  private void began(Segment segment, int series, long tMs) {
    administration.began(segment, series, tMs);
  }

  /** Removes the task from what the instance shares. */
  void close() {
    inquiry.leave(this);
    lag.remove(waiting);
    metrics.remove();
    deleted.close();
    index.close();
  }

  void process(Record<Integer, SpecificRecord> record, long wallMs) {
    clock.update(wallMs);
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

  /** Emits all buffered points and open slots, as no input follows. */
  private void end() {
    path.releaseAll();
    segments.all().forEach(Segment::end);
  }

  /** Adds the buffered points that no older point can precede. */
  void release(long wallMs) {
    clock.update(wallMs);
    takeLatestPolicies();
    metrics.evicted(path.release());
    metrics.report();
  }

  /** Does the work that is due. */
  void tick(long wallMs) {
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
    if (clock.nowMs() - cleanedMs >= FORGET_INTERVAL_MS) {
      cleanedMs = clock.nowMs();
      deleted.forgetOld(clock.newestMs());
    }
    arrival.end();
    updateLag();
    metrics.report();
  }

  /** Returns the state of a series; null if the task does not know it. */
  SeriesState state(String ident) {
    SeriesIndex.Location known = index.find(ident);
    int merging = mergeBuffer.buffered(ident);
    return known == null && merging == 0
        ? null
        : new SeriesState(
            id.partition(),
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

  /** Adopts the latest policies. The next commit writes the change and all that it emits. */
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
          "partition {}: {} series keep their location of before version {} of the policies, as all {}"
              + " segments are used: docs/runbooks/RondoSegmentsNearlyUsed.md",
          id.partition(),
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
    metrics.add(id.toString(), latest, index);
  }

  /**
   * Emits locations again, only after the start and once an hour: two tasks may have the same
   * series, and both emit it.
   */
  private void emitLocationsAgain() {
    administration.emitLocationsAgain(segments.all());
    if (clock.nowMs() - unconfirmedMs >= CONFIRM_INTERVAL_MS) {
      unconfirmedMs = clock.nowMs();
      segments.all().forEach(Segment::unconfirmLocations);
    }
  }
}
