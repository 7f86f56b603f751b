package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.EndOfPoints;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.order.SourceRecords;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.policy.VersionedPolicies;
import dev.rondo.topology.requests.RouteRequests;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.state.HeldBytes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Consolidate as one task, without a merge. It can be restarted from its written state, with other
 * policies. Times are seconds.
 */
final class OneTask {
  private static final long MAX_FUTURE_MS = 600_000;
  private static final Properties PROPERTIES = new Properties();

  static {
    PROPERTIES.put("application.id", "one-task");
    PROPERTIES.put("bootstrap.servers", "nowhere:1");
    PROPERTIES.put("processing.guarantee", "exactly_once_v2");
  }

  private final Changelog mergeBufferLog;
  private final Changelog segmentLog;
  private final Changelog locationLog;
  private HeldBytes mergeBufferBytes;
  private HeldBytes segmentBytes;
  private HeldBytes locationBytes;
  private final KeyValueStore<String, Deletion> deleted =
      Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(Consolidate.DELETED_STORE),
              Serdes.String(),
              Deletion.SERDE)
          .withLoggingDisabled()
          .build();
  private final Drops drops = new Drops(new SimpleMeterRegistry(), Clock.systemUTC());

  /** Everything that was sent to {@code rondo.bundle-rows}. */
  final List<BundleRow> rows = new ArrayList<>();

  /** Everything that was sent to {@code rondo.series}: ident@segment:position, or -ident. */
  final List<String> locations = new ArrayList<>();

  /** Series whose location was last emitted by another partition. */
  final Set<String> elsewhere = new HashSet<>();

  /** The source of each series, as last sent to {@code rondo.series}. */
  final Map<String, String> sourceOf = new HashMap<>();

  /** The rows as the sink stores them. */
  final OneTable table = new OneTable();

  /** Metrics of the instance. */
  final MeterRegistry registry = new SimpleMeterRegistry();

  private final SourceMetrics sources = new SourceMetrics(registry);

  /** Budget of the instance. */
  final MemoryBudget memory;

  private final Versions versions;
  private final long perSecond;
  private final long burst;
  private MockProcessorContext<Object, Object> context;
  private final boolean emitsByTime;
  private final MergedPartitions merged;
  private long offset;
  private int replayEpoch;
  private ConsolidateProcessor processor;
  private SegmentStore segments;
  private LocationStore locationStore;
  private MergeBufferStore<SeriesIndex.Location> mergeBuffer;
  private long wallMs;

  /** Starts with these policies at a wall clock time. */
  OneTask(long wallS, String... policies) {
    this(wallS, MemoryBudget.ofHeap(0), 1_000_000, 1_000_000, policies);
  }

  /** The task of a live replay: only points, and the end, emit slots. */
  static OneTask ofLiveReplay(long wallS, String... policies) {
    return new OneTask(
        wallS,
        MemoryBudget.ofHeap(0),
        1_000_000,
        1_000_000,
        false,
        MergedPartitions.none(),
        policies);
  }

  /** A task that merges: a point of {@link #sendMerged} is buffered until a later one follows. */
  static OneTask merging(long wallS, String... policies) {
    MergedPartitions all = MergedPartitions.of(topic -> true);
    return new OneTask(wallS, MemoryBudget.ofHeap(0), 1_000_000, 1_000_000, true, all, policies);
  }

  /**
   * The same with a memory budget and a limit of new series.
   *
   * @param perSecond new series per second
   * @param burst new series at once
   */
  OneTask(long wallS, MemoryBudget memory, long perSecond, long burst, String... policies) {
    this(wallS, memory, perSecond, burst, true, MergedPartitions.none(), policies);
  }

  private OneTask(
      long wallS,
      MemoryBudget memory,
      long perSecond,
      long burst,
      boolean emitsByTime,
      MergedPartitions merged,
      String... policies) {
    this.emitsByTime = emitsByTime;
    this.merged = merged;
    this.memory = memory;
    this.perSecond = perSecond;
    this.burst = burst;
    wallMs = wallS * 1000;
    versions = new Versions();
    mergeBufferLog = new Changelog(Consolidate.MERGE_BUFFER_STORE);
    segmentLog = new Changelog(Consolidate.SEGMENTS_STORE);
    locationLog = new Changelog(Consolidate.LOCATIONS_STORE);
    restore();
    start(policies);
  }

  private OneTask(OneTask other) {
    emitsByTime = other.emitsByTime;
    merged = other.merged;
    memory = MemoryBudget.ofHeap(0);
    perSecond = other.perSecond;
    burst = other.burst;
    wallMs = other.wallMs;
    replayEpoch = other.replayEpoch;
    versions = other.versions;
    mergeBufferLog = other.mergeBufferLog.copy();
    segmentLog = other.segmentLog.copy();
    locationLog = other.locationLog.copy();
    elsewhere.addAll(other.elsewhere);
    restore();
    try (KeyValueIterator<String, Deletion> all = other.deleted.all()) {
      all.forEachRemaining(deletion -> deleted.put(deletion.key, deletion.value));
    }
    start();
  }

  /** Starts the same task elsewhere from its changelogs, after a commit. */
  OneTask restored() {
    commit();
    return new OneTask(this);
  }

  /** Starts from the changelogs. */
  private void restore() {
    mergeBufferBytes = mergeBufferLog.restore();
    segmentBytes = segmentLog.restore();
    locationBytes = locationLog.restore();
    if (!deleted.isOpen()) {
      deleted.init(stateStoreContext(), deleted);
    }
  }

  static StateStoreContext stateStoreContext() {
    return new MockProcessorContext<>(PROPERTIES, new TaskId(0, 0), null).getStateStoreContext();
  }

  /** Closes the task. */
  void end() {
    processor.close();
    mergeBuffer.close();
    segments.close();
    locationStore.close();
  }

  /** Applies another version of the policies. */
  void apply(String... policies) {
    versions.add(policies);
    tick();
    collect();
  }

  private static final class Versions implements PolicyVersions {
    private final List<VersionedPolicies> all = new ArrayList<>();
    private String yaml = "";

    boolean add(String... policies) {
      String next = "policies:\n  - " + String.join("\n  - ", policies) + "\n";
      boolean isOther = !next.equals(yaml);
      if (isOther) {
        yaml = next;
        all.add(VersionedPolicies.parse(all.size() + 1, yaml));
      }
      return isOther;
    }

    @Override
    public VersionedPolicies latest() {
      return all.get(all.size() - 1);
    }

    @Override
    public VersionedPolicies await(int number) {
      return all.get(number - 1);
    }
  }

  private void start(String... policies) {
    boolean isOther = versions.add(policies);
    start();
    if (isOther) {
      tick(); // adopts them
      collect();
    }
  }

  private void start() {
    context = new MockProcessorContext<>(PROPERTIES, new TaskId(0, 0), null);
    context.setCurrentSystemTimeMs(wallMs);
    mergeBuffer =
        new MergeBufferStore<>(
            mergeBufferLog.logging(mergeBufferBytes), mergeBufferBytes, FormatVersion.NEWEST);
    segments = new SegmentStore(segmentLog.logging(segmentBytes), segmentBytes);
    locationStore = new LocationStore(locationLog.logging(locationBytes), locationBytes);
    context.addStateStore(mergeBuffer);
    context.addStateStore(segments);
    context.addStateStore(locationStore);
    context.addStateStore(deleted);
    processor =
        new ConsolidateProcessor(
            new Consolidate.Shared(
                new Consolidate.Settings(
                    versions,
                    1,
                    3,
                    0,
                    60_000,
                    emitsByTime,
                    merged,
                    1_000,
                    new SourceProgress(MemoryBudget.ofHeap(0).merge()),
                    replayEpoch,
                    MAX_FUTURE_MS,
                    perSecond,
                    burst,
                    FormatVersion.NEWEST),
                (ident, partition) -> elsewhere.contains(ident),
                drops,
                memory,
                sources,
                new SeriesInquiry(),
                registry));
    processor.init(context);
  }

  /** State of a series; null if the task does not know it. */
  SeriesState state(String ident) {
    return processor.state(ident);
  }

  /** Restarts after a commit. */
  void restart(String... policies) {
    restartAfter(0, policies);
  }

  /** Restarts for the next replay; the points must be sent again. */
  void replay(String... policies) {
    replayEpoch++;
    restartAfter(0, policies);
  }

  /** Restarts after an absence of {@code seconds}. */
  void restartAfter(long seconds, String... policies) {
    becomeStandby();
    wallMs += seconds * 1000;
    start(policies);
  }

  /** Continues as a standby, after a commit: Streams keeps the processor and the stores. */
  void becomeStandby() {
    commit();
    processor.close();
    mergeBuffer.clearCache();
    segments.clearCache();
    locationStore.clearCache();
  }

  /** References to the segments of the running task, which do not keep them. */
  List<WeakReference<Segment>> segments() {
    return segments.all().stream().map(WeakReference::new).toList();
  }

  /** Restarts from the changelogs, after a commit. */
  void restartFromChangelogs() {
    commit();
    end();
    restore();
    start();
  }

  /** Restarts as a task without a free segment number, the last one given to a policy. */
  void useAllSegments(String policy) {
    int last = SegmentNumber.of(0, SegmentNumber.MAX_SEGMENTS - 1);
    locationStore.put(new SeriesEntry("last", policy, last, 3, wallMs, "", "", 0L));
    restartFromChangelogs();
  }

  /** Number of series by policy. */
  Map<String, Double> counts() {
    Map<String, Double> counts = new TreeMap<>();
    registry
        .find("rondo.consolidate.series")
        .gauges()
        .forEach(gauge -> counts.put(gauge.getId().getTag("policy"), gauge.value()));
    return counts;
  }

  private void commit() {
    mergeBuffer.flushCache();
    segments.flushCache();
  }

  void send(String ident, long tS, double value) {
    send("", ident, tS, value);
  }

  /** Sends a point of a source with a policy. */
  void send(String policy, String ident, long tS, double value) {
    send("points", policy, ident, tS, value);
  }

  /** Sends a point of a source topic. */
  void send(String topic, String policy, String ident, long tS, double value) {
    Headers headers =
        new RecordHeaders()
            .add(SourceHeaders.SOURCE_HEADER, SourceHeaders.id(new TopicPartition(topic, 0)));
    Points points = new Points(policy, List.of(new Point(ident, tS * 1000, value)));
    processor.process(new Record<>(0, points, wallMs, headers));
    collect();
  }

  /** Sends a point as a separate record of the only merged source partition. */
  void sendMerged(String ident, long tS, double value) {
    byte[] source = SourceHeaders.id(new TopicPartition("points", 0));
    SourceRecords records = new SourceRecords();
    records.begin(offset++, tS * 1000);
    records.point();
    records.reach(new Progress(offset, tS * 1000, 0));
    Points points = new Points("", List.of(new Point(ident, tS * 1000, value)));
    Headers headers = SourceHeaders.of(source, records.toBytes(0));
    processor.process(new Record<>(0, points, wallMs, headers));
    tick();
    collect();
  }

  /** Sends a point of a keyed source topic. */
  void sendKeyed(String topic, String ident, long tS, double value) {
    context.setRecordMetadata(topic, 0, 0);
    Points points = new Points("", List.of(new Point(ident, tS * 1000, value)));
    processor.process(new Record<>(0, points, wallMs));
    collect();
  }

  /** Sends the end of a live replay. */
  void sendEnd() {
    processor.process(
        new Record<>(0, new SeriesRequest("test", wallMs, new EndOfPoints()), wallMs));
    collect();
  }

  /** Sends a request to delete a series, written at a time. */
  void delete(String ident, long atS) {
    delete(ident, atS, OptionalLong.empty());
  }

  /**
   * Sends a request to delete a series.
   *
   * @param silentSinceMs only if it has no point after this time
   */
  void delete(String ident, long atS, OptionalLong silentSinceMs) {
    Long since = silentSinceMs.isPresent() ? silentSinceMs.getAsLong() : null;
    request(new DeleteSeries(List.of(ident), since), atS);
  }

  /** Sends a request to rename a series, written at a time. */
  void rename(String old, String to, long atS) {
    request(new RenameSeries(List.of(new Rename(old, to))), atS);
  }

  /** Sends a request to create a series with slots from {@code fromS} until {@code untilS}. */
  void create(String ident, long fromS, long untilS, long atS) {
    create("", "", ident, fromS, untilS, atS);
  }

  /** The same for a series of a source topic with a policy. */
  void create(String policy, String source, String ident, long fromS, long untilS, long atS) {
    var series = new NewSeries(ident, fromS * 1000, untilS * 1000);
    request(new CreateSeries(policy, source, List.of(series)), atS);
  }

  private void request(Object request, long atS) {
    MockProcessorContext<Integer, SpecificRecord> routed = new MockProcessorContext<>();
    RouteRequests route = new RouteRequests(new Naming(1024, 64), 1);
    route.init(routed);
    String json = RequestJson.write(new SeriesRequest("test", 0L, request));
    route.process(new Record<>("", json, atS * 1000));
    for (var forward : routed.forwarded()) {
      processor.process(new Record<>(0, forward.record().value(), wallMs));
    }
    collect();
  }

  /** Advances the clock, with ticks, and a commit every second. */
  void pass(long seconds) {
    for (long half = 0; half < 2 * seconds; half++) {
      wallMs += 500;
      context.setCurrentSystemTimeMs(wallMs);
      tick();
      if (half % 2 == 1) {
        commit();
      }
    }
    collect();
  }

  private void tick() {
    context.scheduledPunctuators().forEach(tick -> tick.getPunctuator().punctuate(wallMs));
  }

  /** Sets the clock, forward or back, and ticks once. */
  void setClock(long seconds) {
    wallMs = seconds * 1000;
    context.setCurrentSystemTimeMs(wallMs);
    tick();
    collect();
  }

  private void collect() {
    for (CapturedForward<?, ?> forward : context.forwarded()) {
      Record<?, ?> record = forward.record();
      if (record.value() instanceof BundleRow row) {
        rows.add(row);
        table.put(row);
      } else if (record.value() instanceof SeriesEntry entry && !entry.getRenamedTo().isEmpty()) {
        locations.add(
            "%s->%s@%d"
                .formatted(entry.getIdent(), entry.getRenamedTo(), entry.getRenamedAt() / 1000));
        sourceOf.remove(entry.getIdent());
        table.put(entry.getIdent(), null);
      } else if (record.value() instanceof SeriesEntry entry) {
        locations.add("%s@%d:%d".formatted(entry.getIdent(), entry.getSeg(), entry.getPos()));
        sourceOf.put(entry.getIdent(), entry.getSource());
        table.put(entry.getIdent(), entry);
      } else {
        locations.add("-" + record.key());
        sourceOf.remove((String) record.key());
        table.put((String) record.key(), null);
      }
    }
    context.resetForwards();
  }

  /** Values of one location in the rows of an archive, by the end of their slot, s. */
  Map<Long, Double> valuesAt(String policy, long stepS, int segment, int position) {
    Map<Long, Double> values = new HashMap<>();
    for (BundleRow row : rows) {
      if (row.getPolicy().equals(policy)
          && row.getStepMs() == stepS * 1000
          && row.getSeg() == segment
          && row.getDp().size() >= position
          && !row.getDp().get(position - 1).isNaN()) {
        values.put(row.getT() / 1000, row.getDp().get(position - 1));
      }
    }
    return values;
  }

  long dropped(DropReason reason) {
    return drops.total(reason);
  }
}
