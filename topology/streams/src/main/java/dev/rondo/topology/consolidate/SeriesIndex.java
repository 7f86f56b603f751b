package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskMemory;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Location of each series of a task: ident → segment and position. Positions are assigned in the
 * order in which series first appear, and never change; a store keeps them. The position of a
 * series that was retired, or that another policy covers now, is reused for a later series.
 */
final class SeriesIndex {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesIndex.class);

  /**
   * How many times {@code max.series} as many positions a policy may have. Those of deleted series
   * cannot be reused before the last of their slots has ended.
   */
  private static final int MOST_POSITIONS = 2;

  /** Location of a series: its segment, and its index there, from 0. */
  static final class Location extends BufferedSeries {
    private Segment segment;
    private int series;

    /** Time of its first point, or of the last one before it moved here, epoch ms. */
    private long startsAtMs;

    /** Brought the point that made it. */
    private final SourceMetrics.Topic source;

    /** Whether the first policy that covers it drops it: it stays until it is retired. */
    private boolean isDropped;

    private Location(String ident, Position position, long startsAtMs, SourceMetrics.Topic source) {
      super(ident);
      this.source = source;
      this.segment = position.segment();
      this.series = position.series();
      this.startsAtMs = startsAtMs;
    }

    private void moveTo(Position position) {
      segment = position.segment();
      series = position.series();
    }

    private SeriesEntry entry() {
      return new SeriesEntry(
          ident(),
          segment.policy().name(),
          segment.number(),
          series + 1,
          startsAtMs,
          source.name(),
          "",
          0L);
    }

    Segment segment() {
      return segment;
    }

    int series() {
      return series;
    }

    /** Whether its points are dropped, unless their source names a policy. */
    boolean isDropped() {
      return isDropped;
    }

    /** Values at or before it are not of the series, epoch ms. */
    long startsAtMs() {
      return startsAtMs;
    }
  }

  private record Position(Segment segment, int series) {}

  /** The newest segment of a policy, and how many of its positions are assigned. */
  private record Filling(Segment segment, int assigned) {
    boolean isFull() {
      return assigned == segment.width();
    }
  }

  /**
   * A position that can be reused.
   *
   * @param bytes of heap that it is counted with
   */
  private record Free(Position position, long untilMs, long bytes) {}

  private final int partition;
  private final int partitions;
  private final int width;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final LocationStore store;
  private final SourceMetrics sources;
  private final Map<String, Location> locations = new HashMap<>();

  /** Number of series by policy; read by other threads too. */
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  private final Map<String, Filling> fillings = new HashMap<>();
  private final Map<String, Queue<Free>> free = new HashMap<>();
  private final Map<String, Integer> seriesWithoutPolicy = new TreeMap<>();

  /** How many numbers of segments are given; read by other threads too. */
  private volatile int segmentCount;

  /**
   * Restores the locations from the stores.
   *
   * @param partitions number of tasks, which share a policy's {@code max.series}
   * @param width positions in a new segment
   */
  SeriesIndex(
      int partition,
      int partitions,
      int width,
      SegmentStore segments,
      SegmentCodec codec,
      LocationStore store,
      SourceMetrics sources) {
    this.partition = partition;
    this.partitions = partitions;
    this.width = width;
    this.segments = segments;
    this.codec = codec;
    this.store = store;
    this.sources = sources;
    store.load(this::restore, this::forEachEntry);
    segments.withoutPolicy().forEach(this::countSegment);
    segments.all().forEach(this::restorePositions);
    warnOfSeriesWithoutPolicy();
  }

  private void warnOfSeriesWithoutPolicy() {
    seriesWithoutPolicy.forEach(
        (policy, series) ->
            LOG.warn(
                "partition {}: {} series belong to policy '{}', which does not exist; if one sends,"
                    + " it becomes a new series of the policy that matches it now",
                partition,
                series,
                policy));
  }

  private void forEachEntry(Consumer<SeriesEntry> entries) {
    locations.values().forEach(location -> entries.accept(location.entry()));
  }

  /** Returns false if the policy of the series was removed: if it sends, it is a new series. */
  private boolean restore(SeriesEntry entry) {
    countSegment(entry.getSeg());
    Segment segment = segments.get(entry.getSeg());
    if (segment == null) {
      segment = neverSaved(entry);
    }
    if (segment == null) {
      seriesWithoutPolicy.merge(entry.getPolicy(), 1, Integer::sum);
      return false;
    }
    take(
        entry.getIdent(),
        new Position(segment, entry.getPos() - 1),
        entry.getStartsAt(),
        sources.topic(entry.getSource()));
    fill(new Filling(segment, entry.getPos()));
    return true;
  }

  private Location take(
      String ident, Position position, long startsAtMs, SourceMetrics.Topic source) {
    Location location = new Location(ident, position, startsAtMs, source);
    locations.put(ident, location);
    location.isDropped = codec.drops(ident);
    location.segment().assign(location.series(), ident, source.name());
    count(1, location);
    return location;
  }

  /**
   * Without exactly-once a crash may lose a segment that was never written although locations in it
   * were: creates an empty one. Null if its policy was removed.
   */
  private Segment neverSaved(SeriesEntry entry) {
    if (entry.getPos() > width) {
      return null;
    }
    return codec
        .policy(entry.getPolicy())
        .map(
            policy -> {
              Segment segment = codec.create(entry.getSeg(), policy, width);
              segments.add(segment);
              return segment;
            })
        .orElse(null);
  }

  private void restorePositions(Segment segment) {
    countSegment(segment.number());
    int assigned = 0;
    for (int series = 0; series < segment.width(); series++) {
      if (segment.wasAssigned(series)) {
        assigned = series + 1;
        if (segment.ident(series) == null) {
          segment.free(series); // its series moved to another policy while its own was removed
          addFree(new Position(segment, series));
        }
      }
    }
    fill(new Filling(segment, assigned));
  }

  private void addFree(Position position) {
    Policy policy = position.segment().policy();
    long bytes = TaskMemory.positionBytes(policy);
    codec.memory().addFree(bytes);
    free.computeIfAbsent(
            policy.name(), name -> new PriorityQueue<>(Comparator.comparingLong(Free::untilMs)))
        .add(new Free(position, position.segment().usedUntilMs(position.series()), bytes));
  }

  private void countSegment(int number) {
    segmentCount = Math.max(segmentCount, SegmentNumber.index(number) + 1);
  }

  private void fill(Filling filling) {
    fillings.merge(filling.segment().policy().name(), filling, (a, b) -> isFurther(b, a) ? b : a);
  }

  private static boolean isFurther(Filling a, Filling b) {
    int aNumber = a.segment().number();
    int bNumber = b.segment().number();
    return aNumber > bNumber || (aNumber == bNumber && a.assigned() > b.assigned());
  }

  /** The location of a series; null if it is not known yet. */
  Location find(String ident) {
    return locations.get(ident);
  }

  /** The location of a series as it was last emitted. */
  SeriesEntry entry(String ident) {
    return locations.get(ident).entry();
  }

  /** Number of series of a policy. */
  int count(String policy) {
    return counts.getOrDefault(policy, 0);
  }

  /** How many series a policy may have in this task. */
  long maxSeries(Policy policy) {
    return (policy.maxSeries() + partitions - 1L) / partitions;
  }

  /** Policies of restored series that the policies file lacks: how many series of each. */
  Map<String, Integer> seriesWithoutPolicy() {
    return Collections.unmodifiableMap(seriesWithoutPolicy);
  }

  /**
   * How many numbers of segments the task has given: {@link SegmentNumber#MAX_SEGMENTS} at most.
   */
  int segmentCount() {
    return segmentCount;
  }

  /**
   * Why a new series of the policy cannot get a location; empty if it can.
   *
   * @param startsAtMs time of its first point, epoch ms
   */
  Optional<DropReason> refusal(Policy policy, long startsAtMs) {
    boolean grows = !reuses(policy, startsAtMs);
    if (count(policy.name()) >= maxSeries(policy)
        || (grows && positions(policy) >= MOST_POSITIONS * maxSeries(policy))) {
      return Optional.of(DropReason.TOO_MANY_SERIES);
    }
    if (!hasRoom(policy, startsAtMs)) {
      return Optional.of(DropReason.TOO_MANY_SEGMENTS);
    }
    TaskMemory memory = codec.memory();
    return memory.series().isFull() || (grows && !memory.hasRoomForPosition())
        ? Optional.of(DropReason.NO_MEMORY)
        : Optional.empty();
  }

  /** Positions of a policy that are, or were, of a series. */
  private long positions(Policy policy) {
    Queue<Free> ofPolicy = free.get(policy.name());
    return count(policy.name()) + (ofPolicy == null ? 0L : ofPolicy.size());
  }

  private boolean hasRoom(Policy policy, long startsAtMs) {
    return segmentCount < SegmentNumber.MAX_SEGMENTS
        || !needsSegment(policy)
        || reuses(policy, startsAtMs);
  }

  private boolean needsSegment(Policy policy) {
    Filling filling = fillings.get(policy.name());
    return filling == null || filling.isFull();
  }

  private boolean reuses(Policy policy, long startsAtMs) {
    Queue<Free> ofPolicy = free.get(policy.name());
    return ofPolicy != null
        && !ofPolicy.isEmpty()
        && ofPolicy.peek().untilMs() <= startsAtMs - policy.reorderMs();
  }

  /**
   * Assigns a location to a new series that is not refused, and returns its entry. A free position
   * is reused if the last slot of its earlier series ends before the first point of the new one,
   * even if a point that is older by the reorder window follows.
   *
   * @param startsAtMs time of its first point, epoch ms
   * @param source of that point
   */
  SeriesEntry register(String ident, Policy policy, long startsAtMs, SourceMetrics.Topic source) {
    return put(take(ident, position(policy, startsAtMs), startsAtMs, source));
  }

  private Position position(Policy policy, long startsAtMs) {
    if (!reuses(policy, startsAtMs)) {
      return newPosition(policy);
    }
    Free reused = free.get(policy.name()).remove();
    codec.memory().addFree(-reused.bytes());
    Position position = reused.position();
    position.segment().free(position.series());
    return position;
  }

  /** All locations. */
  Collection<Location> all() {
    return locations.values();
  }

  /** Other policies apply, which may drop series. */
  void updateDropped() {
    locations.forEach((ident, location) -> location.isDropped = codec.drops(ident));
  }

  /** A segment continues under another version of its policy. */
  void become(Segment segment, Policy policy) {
    count(segment, -1);
    segment.become(policy);
    count(segment, 1);
  }

  /** Adds the series of a segment to what is counted, or subtracts them. */
  private void count(Segment segment, int sign) {
    for (int series = 0; series < segment.width(); series++) {
      if (segment.ident(series) != null) {
        codec.memory().addSeries(sign, segment.ident(series), segment.policy());
      }
    }
  }

  /**
   * Reads the series of the policies that exist again.
   *
   * @param back receives each of them
   */
  void loadOthers(Consumer<Location> back) {
    seriesWithoutPolicy.clear();
    List<Segment> again = segments.loadOthers();
    store.loadOthers(
        entry -> {
          boolean isBack = restore(entry);
          if (isBack) {
            back.accept(locations.get(entry.getIdent()));
          }
          return isBack;
        });
    again.forEach(this::restorePositions);
    again.forEach(Segment::start);
    warnOfSeriesWithoutPolicy();
  }

  /**
   * Moves a series to a policy. Its points before this are found where it was.
   *
   * @return its new location; empty if the partition has no segment left for it
   */
  Optional<SeriesEntry> move(Location location, Policy policy) {
    Segment before = location.segment();
    int series = location.series();
    long lastMs = before.lastMs(series);
    long startsAtMs = Math.max(location.startsAtMs, lastMs);
    if (!hasRoom(policy, startsAtMs)) {
      return Optional.empty();
    }
    location.startsAtMs = startsAtMs;
    Position position = position(policy, location.startsAtMs);
    if (lastMs == Long.MIN_VALUE) { // its slots are those of before a replay, or not of points
      location.startsAtMs = Math.max(location.startsAtMs, before.ownUntilMs(series));
    }
    position.segment().adopt(position.series(), before, series);
    before.free(series);
    addFree(new Position(before, series));
    count(-1, location);
    location.moveTo(position);
    location.segment().assign(location.series(), location.ident(), location.source.name());
    count(1, location);
    return Optional.of(put(location));
  }

  private void count(int series, Location location) {
    Policy policy = location.segment().policy();
    counts.merge(policy.name(), series, Integer::sum);
    codec.memory().addSeries(series, location.ident(), policy);
    location.source.addSeries(series);
  }

  /** No policy covers a series any more: its location stays, for a policy that may come back. */
  void release(Location location) {
    count(-1, location);
    locations.remove(location.ident());
    store.release(location.entry());
  }

  /** Forgets a series that was released, and returns its entry; null if there is none. */
  SeriesEntry deleteReleased(String ident) {
    return store.deleteReleased(ident);
  }

  /** A policy no longer exists, and its series have left. */
  void forget(Policy policy) {
    counts.remove(policy.name());
    fillings.remove(policy.name());
    Queue<Free> ofPolicy = free.remove(policy.name());
    if (ofPolicy != null) {
      ofPolicy.forEach(each -> codec.memory().addFree(-each.bytes()));
    }
  }

  private Position newPosition(Policy policy) {
    if (needsSegment(policy)) {
      Segment segment = codec.create(SegmentNumber.of(partition, segmentCount), policy, width);
      countSegment(segment.number());
      segments.add(segment);
      fillings.put(policy.name(), new Filling(segment, 0));
    }
    Filling filling = fillings.get(policy.name());
    fillings.put(policy.name(), new Filling(filling.segment(), filling.assigned() + 1));
    return new Position(filling.segment(), filling.assigned());
  }

  private SeriesEntry put(Location location) {
    SeriesEntry entry = location.entry();
    store.put(entry);
    return entry;
  }

  /**
   * Moves the time from which a series is valid to its first point, if a replay has sent an earlier
   * one. Returns the new entry; empty if the time is not earlier, or if an earlier series of its
   * position has slots after it.
   */
  Optional<SeriesEntry> moveStartsAt(Segment segment, int series, long firstMs) {
    Location location = locations.get(segment.ident(series));
    long previousUntilMs = segment.previousUntilMs(series);
    if (firstMs >= location.startsAtMs || previousUntilMs > firstMs) {
      return Optional.empty();
    }
    location.startsAtMs = firstMs;
    return Optional.of(put(location));
  }

  /** Removes a series and frees its position. Returns its former location. */
  Location retire(Segment segment, int series) {
    String ident = segment.ident(series);
    segment.free(series);
    Location location = locations.remove(ident);
    store.delete(ident);
    count(-1, location);
    addFree(new Position(segment, series));
    return location;
  }

  /** The task leaves: its series no longer count. */
  void close() {
    locations.values().forEach(location -> location.source.addSeries(-1));
  }
}
