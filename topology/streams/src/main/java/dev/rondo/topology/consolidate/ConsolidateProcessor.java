package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.Stage;
import dev.rondo.topology.lag.TaskLag;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.PolicyTransition;
import dev.rondo.topology.policy.VersionedPolicies;
import dev.rondo.topology.rows.RowMessages;
import dev.rondo.topology.segment.ArrivalTimes;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentContext;
import dev.rondo.topology.segment.SegmentSink;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskClock;
import dev.rondo.topology.segment.TaskMemory;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one partition: merges its points, finds or registers their series, adds them to the segment
 * of the series, and forwards what segments emit. It schedules and counts; the arithmetic is in the
 * {@link Segment}.
 */
final class ConsolidateProcessor
    extends ContextualProcessor<Integer, SpecificRecord, Object, Object> implements SegmentSink {
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
  private ArrivalTimes arrivals;
  private MergeBufferStore mergeBuffer;
  private SegmentStore segments;
  private SegmentCodec codec;
  private SeriesIndex index;
  private VersionedPolicies policies;

  /** By source topic, so that none takes the part of others. */
  private final Map<String, NewSeriesRateLimit> newSeries = new HashMap<>();

  private DeletedSeries deleted;

  /**
   * Whether a policy drops its series: derived from the policies, and looked at for every point.
   */
  private boolean haveDropping;

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
    SegmentContext task =
        new SegmentContext(settings.maxLingerMs(), clock, TaskMemory.of(memory), this);
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
    haveDropping = policies.policies().haveDropping();
    metrics.add(context.taskId().toString(), policies, index);
    newSeries.clear();
    deleted =
        new DeletedSeries(
            context.getStateStore(Consolidate.DELETED_STORE), memory.deletionsBySource().open());
    arrivals = task.arrivals();
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
      arrivals.see(clock.newestMs());
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

  private SourceMerge merge() {
    MergedPartitions merged = settings.merged();
    return new SourceMerge(
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
    if (record.value() instanceof SeriesRequest request) {
      handle(request);
    } else {
      add((Points) record.value(), record.headers(), record.timestamp());
    }
    metrics.report();
  }

  private void handle(SeriesRequest request) {
    if (request.getRequest() instanceof DeleteSeries deletes) {
      delete(request, deletes);
    } else if (request.getRequest() instanceof RenameSeries renames) {
      rename(request, renames);
    } else if (request.getRequest() instanceof CreateSeries creates) {
      create(request.getBy(), creates);
    } else {
      end();
    }
  }

  private void add(Points points, Headers headers, long recordMs) {
    Header source = headers.lastHeader(SourceHeaders.SOURCE_HEADER);
    if (source == null) {
      context().recordMetadata().ifPresent(from -> arrival.begin(from, recordMs));
      add(points, null);
    } else if (isMerging()) {
      merge(source.value(), headers, points);
    } else {
      releaseAll();
      arrival.received(source.value(), headers, points.getPoints().size());
      arrival.begin(source.value(), headers);
      add(points, ByteBuffer.wrap(source.value()));
    }
  }

  /** Nothing follows: emits what is buffered, and the open slots. */
  private void end() {
    releaseAll();
    segments.all().forEach(Segment::end);
  }

  private void merge(byte[] source, Headers headers, Points points) {
    if (SourceHeaders.holdProgress(headers)) {
      SourceHeaders.forEachProgress(
          headers, (id, progress) -> mergeBuffer.reach(id, progress, clock.wallMs()));
    } else {
      arrival.received(source, headers, points.getPoints().size());
      Progress progress =
          SourceHeaders.forEachRecord(
              headers,
              points.getPoints(),
              (offset, streamTimeMs, batch) ->
                  mergeBuffer.add(source, offset, streamTimeMs, points.getPolicy(), batch));
      mergeBuffer.reach(source, progress, clock.wallMs());
    }
  }

  private void release(long wallMs) {
    clock.update(wallMs);
    takeLatestPolicies();
    metrics.evicted(mergeBuffer.release(this::add));
    metrics.report();
  }

  /** Releases points that were buffered while the sources were merged. */
  private void releaseAll() {
    mergeBuffer.releaseAll(this::add);
  }

  private void add(Batch batch, int n, BufferedSeries series) {
    arrival.begin(batch);
    boolean isKnown = series instanceof SeriesIndex.Location;
    add(
        batch.policy(),
        batch.source(),
        batch.points().get(n),
        isKnown ? (SeriesIndex.Location) series : null);
  }

  private void add(Points points, ByteBuffer source) {
    for (Point point : points.getPoints()) {
      add(points.getPolicy(), source, point, index.find(point.getIdent()));
    }
  }

  /**
   * @param source id of the source partition; null if it is that of the current record
   * @param known location of the series; null if it has none yet
   */
  private void add(String policy, ByteBuffer source, Point point, SeriesIndex.Location known) {
    SeriesIndex.Location location = known;
    if ((location == null || point.getT() < location.validFromMs())
        && deleted.covers(point.getIdent(), point.getT())) {
      drops.count(DropReason.DELETED, point.getIdent(), point.getT());
      return;
    }
    if (haveDropping && location != null && isDropped(policy, location)) {
      drops.count(DropReason.POLICY_DROPS, point.getIdent(), point.getT());
      return;
    }
    if (location == null) {
      location = register(policy, point.getIdent(), point.getT(), source);
      if (location == null) {
        return;
      }
    }
    clock.see(point.getT());
    arrivals.see(clock.newestMs());
    location.segment().add(location.series(), point.getT(), point.getV());
  }

  /**
   * @param policy that the source names; empty = none
   */
  private boolean isDropped(String policy, SeriesIndex.Location location) {
    return policy.isEmpty()
        ? location.isDropped()
        : policies.policies().named(policy).map(Policy::drops).orElse(location.isDropped());
  }

  /** Returns the location of a new series; null if it is refused, which is counted. */
  private SeriesIndex.Location register(
      String policyName, String ident, long tMs, ByteBuffer source) {
    Optional<Policy> policy = policy(policyName, ident);
    if (policy.isEmpty()) {
      drops.count(DropReason.NO_POLICY, ident, tMs);
      return null;
    }
    if (policy.get().drops()) {
      drops.count(DropReason.POLICY_DROPS, ident, tMs);
      return null;
    }
    Optional<DropReason> refusal = index.refusal(policy.get(), tMs);
    SourceMetrics.Topic topic = sources.topic(topic(source));
    if (refusal.isEmpty() && !newSeries(topic).take(tMs, clock.wallMs())) {
      refusal = Optional.of(DropReason.TOO_MANY_NEW_SERIES);
    }
    if (refusal.isPresent()) {
      drops.count(refusal.get(), ident, tMs);
      topic.refused();
      return null;
    }
    return register(ident, policy.get(), tMs, topic);
  }

  private NewSeriesRateLimit newSeries(SourceMetrics.Topic topic) {
    return newSeries.computeIfAbsent(
        topic.name(),
        added ->
            new NewSeriesRateLimit(
                settings.newSeriesPerSecond(), settings.newSeriesBurst(), settings.partitions()));
  }

  /** The policy of a new series. What was decoded before a restart may name a removed one. */
  private Optional<Policy> policy(String name, String ident) {
    return policies.policies().named(name).or(() -> policies.policies().of(Ident.parse(ident)));
  }

  private SeriesIndex.Location register(
      String ident, Policy policy, long validFromMs, SourceMetrics.Topic topic) {
    emit(index.register(ident, policy, validFromMs, topic));
    metrics.registered(policy);
    topic.registered();
    SeriesIndex.Location location = index.find(ident);
    mergeBuffer.registered(location);
    location.segment().confirmLocation(location.series());
    return location;
  }

  private String topic(ByteBuffer source) {
    return source == null
        ? context().recordMetadata().map(RecordMetadata::topic).orElse("")
        : SourceHeaders.topic(source);
  }

  @Override
  public void stored() {
    metrics.stored();
  }

  @Override
  public void first(Segment segment, int series, long tMs) {
    index.moveValidFrom(segment, series, tMs).ifPresent(this::emit);
  }

  @Override
  public void dropped(Segment segment, int series, DropReason reason, long tMs) {
    drops.count(reason, segment.ident(series), tMs, segment.newestMs(series));
  }

  @Override
  public void evicted() {
    metrics.evicted(1);
  }

  @Override
  public void row(Segment segment, int archive, long endMs, double[] values, Arrival firstArrival) {
    metrics.row(values.length);
    if (firstArrival != null) {
      lag.reached(Stage.SENT, firstArrival, known(values));
    }
    context()
        .forward(
            RowMessages.of(
                segment.policy(),
                archive,
                segment.number(),
                segment.width(),
                endMs,
                values,
                firstArrival,
                clock.wallMs()),
            Consolidate.BUNDLE_ROWS_CHILD);
  }

  private static int known(double[] values) {
    int known = 0;
    for (double value : values) {
      known += Double.isNaN(value) ? 0 : 1;
    }
    return known;
  }

  @Override
  public Arrival arrival() {
    return arrival.get();
  }

  private void emit(SeriesEntry entry) {
    emit(entry.getIdent(), entry);
  }

  /** Emits the location of a series, or its tombstone if {@code entry} is null. */
  private void emit(String ident, SeriesEntry entry) {
    context().forward(new Record<>(ident, entry, clock.wallMs()), Consolidate.SERIES_CHILD);
  }

  private void tick(long wallMs) {
    clock.update(wallMs);
    if (!isMerging()) {
      releaseAll();
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
      segment.forEachExpired(series -> retire(segment, series));
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
    int staying = change.make(this::emit, mergeBuffer::retired, mergeBuffer::registered);
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
    policies = latest;
    haveDropping = policies.policies().haveDropping();
    metrics.add(context().taskId().toString(), policies, index);
  }

  private void delete(SeriesRequest request, DeleteSeries deletes) {
    long silentSinceMs =
        deletes.getSilentSince() == null ? Long.MAX_VALUE : deletes.getSilentSince();
    long count =
        deletes.getIdents().stream()
            .filter(ident -> delete(ident, request.getAt(), silentSinceMs))
            .count();
    if (count > 0) {
      metrics.deleted(count);
      LOG.info(
          "partition {}: deleted {} series, requested by {}", partition(), count, request.getBy());
    }
  }

  /**
   * Deletes a series with the points that it has until now. A request that is older than the series
   * has no effect: it was made for an earlier one of the same ident, and is read again. Returns
   * whether the series was there.
   *
   * @param atMs when it was requested, epoch ms
   * @param silentSinceMs a series with a point after this time, epoch ms, stays
   */
  private boolean delete(String ident, long atMs, long silentSinceMs) {
    SeriesIndex.Location location = index.find(ident);
    if (location == null) {
      return deleteWithoutLocation(ident, atMs);
    }
    long newestMs = location.segment().newestMs(location.series());
    if (location.validFromMs() > atMs || newestMs > silentSinceMs) {
      return false;
    }
    deleted.add(ident, Math.max(atMs, newestMs), index.entry(ident).getSource());
    remove(location.segment(), location.series());
    return true;
  }

  private boolean deleteWithoutLocation(String ident, long atMs) {
    SeriesEntry released = index.deleteReleased(ident);
    if (released != null) {
      emit(ident, null);
      deleted.add(ident, atMs, released.getSource());
    } else {
      deleted.extend(ident, atMs);
    }
    return released != null;
  }

  private void rename(SeriesRequest request, RenameSeries renames) {
    long count =
        renames.getRenames().stream().filter(rename -> rename(rename, request.getAt())).count();
    if (count > 0) {
      metrics.renamed(count);
      LOG.info(
          "partition {}: renamed {} series, requested by {}", partition(), count, request.getBy());
    }
  }

  /**
   * Ends a series; the sink gives its history to another one, which may be in any task. Its later
   * points make a new series. As with a deletion, a request that is older than the series has no
   * effect. Returns whether the series was there.
   *
   * @param requestedMs epoch ms
   */
  private boolean rename(Rename rename, long requestedMs) {
    String ident = rename.getIdent();
    SeriesIndex.Location location = index.find(ident);
    if (location != null && location.validFromMs() > requestedMs) {
      return false;
    }
    SeriesEntry entry = location == null ? index.deleteReleased(ident) : index.entry(ident);
    if (entry == null) {
      return false;
    }
    long atMs = location == null ? requestedMs : Math.max(requestedMs, end(location));
    deleted.add(ident, atMs, entry.getSource());
    if (!locations.isElsewhere(ident, partition())) {
      emit(SeriesEntry.newBuilder(entry).setRenamedTo(rename.getTo()).setRenamedAt(atMs).build());
    }
    return true;
  }

  /**
   * Emits the open slots of a series, frees its position, and returns its newest time, epoch ms.
   */
  private long end(SeriesIndex.Location location) {
    Segment segment = location.segment();
    segment.end(location.series());
    long newestMs = segment.newestMs(location.series());
    mergeBuffer.retired(index.retire(segment, location.series()));
    return newestMs;
  }

  private void create(String by, CreateSeries creates) {
    SourceMetrics.Topic topic = sources.topic(creates.getSource());
    Map<String, Integer> refused = new TreeMap<>();
    int created = 0;
    for (NewSeries series : creates.getSeries()) {
      String ident = series.getIdent();
      if (index.find(ident) != null || locations.isElsewhere(ident, partition())) {
        continue;
      }
      Optional<Policy> policy = policy(creates.getPolicy(), ident);
      Optional<DropReason> refusal = refusal(policy, series);
      if (refusal.isPresent()) {
        refused.merge(refusal.get().key(), 1, Integer::sum);
      } else {
        create(series, policy.get(), topic);
        created++;
      }
    }
    metrics.created(created);
    LOG.info(
        "partition {}: created {} series, refused {}, requested by {}",
        partition(),
        created,
        refused,
        by);
  }

  /** Why a series is not created. The limit of new series a second does not apply. */
  private Optional<DropReason> refusal(Optional<Policy> policy, NewSeries series) {
    if (deleted.covers(series.getIdent(), series.getUntil())) {
      return Optional.of(DropReason.DELETED);
    }
    if (policy.isEmpty()) {
      return Optional.of(DropReason.NO_POLICY);
    }
    return policy.get().drops()
        ? Optional.of(DropReason.POLICY_DROPS)
        : index.refusal(policy.get(), series.getFrom());
  }

  /** The new series starts after the last deletion, so that deleted slots stay hidden. */
  private void create(NewSeries series, Policy policy, SourceMetrics.Topic topic) {
    String ident = series.getIdent();
    long validFromMs = Math.max(series.getFrom(), deleted.untilMs(ident) + 1);
    SeriesIndex.Location location = register(ident, policy, validFromMs, topic);
    location.segment().holdsUntil(location.series(), series.getUntil());
  }

  private void retire(Segment segment, int series) {
    remove(segment, series);
    metrics.retired(segment.policy());
  }

  private void remove(Segment segment, int series) {
    SeriesIndex.Location location = index.retire(segment, series);
    mergeBuffer.retired(location);
    String ident = location.ident();
    if (!locations.isElsewhere(ident, partition())) {
      emit(ident, null);
    }
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
      segment.forEachConfirmed(series -> emitIfElsewhere(segment.ident(series)));
    }
    if (clock.nowMs() - unconfirmedMs >= CONFIRM_INTERVAL_MS) {
      unconfirmedMs = clock.nowMs();
      segments.all().forEach(Segment::unconfirmLocations);
    }
  }

  private void emitIfElsewhere(String ident) {
    if (ident != null && locations.isElsewhere(ident, partition())) {
      emit(index.entry(ident));
    }
  }
}
