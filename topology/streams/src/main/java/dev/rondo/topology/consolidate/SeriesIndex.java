package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.consolidate.Positions.Position;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskMemory;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Location of each series of a task: ident → segment and position. A series keeps it until it moves
 * to another policy. How a series leaves:
 *
 * <pre>
 *   move      another policy covers it: it gets a new location there, the old position is free
 *   release   no policy covers it: its location is kept, for a policy that may come back
 *   retire    it expired or was deleted: its position is free
 * </pre>
 */
final class SeriesIndex {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesIndex.class);

  /**
   * Most positions of a policy, as a multiple of {@code max.series}. Those of deleted series cannot
   * be reused before their last slots have ended.
   */
  private static final int MOST_POSITIONS = 2;

  /** Location of a series: its segment, and its index in it, from 0. */
  static final class Location extends BufferedSeries {
    private Segment segment;
    private int series;

    /** Time of its first point, or of the last one before it moved here, epoch ms. */
    private long startsAtMs;

    /** Source of its first point. */
    private final SourceMetrics.Topic source;

    /** Whether its first matching policy drops it; it stays until it is retired. */
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

    /** Start of the series, epoch ms; values at or before it belong to an earlier series. */
    long startsAtMs() {
      return startsAtMs;
    }
  }

  private final int partition;
  private final int partitions;
  private final int width;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final LocationStore store;
  private final SourceMetrics sources;
  private final Positions positions;
  private final Map<String, Location> locations = new HashMap<>();

  /** Number of series by policy; read by other threads too. */
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  private final Map<String, Integer> seriesWithoutPolicy = new TreeMap<>();

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
    this.positions = new Positions(partition, width, segments, codec);
    store.load(this::restore, this::forEachEntry);
    segments.withoutPolicy().forEach(positions::restoreNumber);
    segments.all().forEach(positions::restore);
    warnOfSeriesWithoutPolicy();
  }

  private void warnOfSeriesWithoutPolicy() {
    seriesWithoutPolicy.forEach(
        (policy, series) ->
            LOG.warn(
                "partition {}: {} series belong to policy '{}', which does not exist; one that"
                    + " sends again becomes a new series of the policy that now matches",
                partition,
                series,
                policy));
  }

  private void forEachEntry(Consumer<SeriesEntry> entries) {
    locations.values().forEach(location -> entries.accept(location.entry()));
  }

  /**
   * Restores a location. Returns false if its policy was removed; further points then start a new
   * series.
   */
  private boolean restore(SeriesEntry entry) {
    positions.restoreNumber(entry.getSeg());
    Segment segment = segments.get(entry.getSeg());
    if (segment == null) {
      segment = neverSaved(entry);
    }
    if (segment == null) {
      seriesWithoutPolicy.merge(entry.getPolicy(), 1, Integer::sum);
      return false;
    }
    Position position = new Position(segment, entry.getPos() - 1);
    take(entry.getIdent(), position, entry.getStartsAt(), sources.topic(entry.getSource()));
    positions.restoreAssigned(position);
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
   * Creates the empty segment of a location whose segment was never written: without exactly-once a
   * crash may lose it. Null if its policy was removed.
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

  /** Returns the location of a series; null if it has none. */
  Location find(String ident) {
    return locations.get(ident);
  }

  /** Returns the entry of a series as last emitted. */
  SeriesEntry entry(String ident) {
    return locations.get(ident).entry();
  }

  int count(String policy) {
    return counts.getOrDefault(policy, 0);
  }

  /** Most series of a policy in this task: its share of {@code max.series}. */
  long maxSeries(Policy policy) {
    return (policy.maxSeries() + partitions - 1L) / partitions;
  }

  /** Number of restored series by policy, for policies that no longer exist. */
  Map<String, Integer> seriesWithoutPolicy() {
    return Collections.unmodifiableMap(seriesWithoutPolicy);
  }

  /** Number of assigned segment numbers, at most {@link SegmentNumber#MAX_SEGMENTS}. */
  int segmentCount() {
    return positions.segmentCount();
  }

  /**
   * Returns why a new series of the policy gets no location; empty if it gets one.
   *
   * @param startsAtMs time of its first point, epoch ms
   */
  Optional<DropReason> refusal(Policy policy, long startsAtMs) {
    boolean grows = !positions.reuses(policy, startsAtMs);
    if (count(policy.name()) >= maxSeries(policy)
        || (grows
            && count(policy.name()) + positions.freeOf(policy)
                >= MOST_POSITIONS * maxSeries(policy))) {
      return Optional.of(DropReason.TOO_MANY_SERIES);
    }
    if (!positions.hasRoom(policy, startsAtMs)) {
      return Optional.of(DropReason.TOO_MANY_SEGMENTS);
    }
    TaskMemory memory = codec.memory();
    return memory.series().isFull() || (grows && !memory.hasRoomForPosition())
        ? Optional.of(DropReason.NO_MEMORY)
        : Optional.empty();
  }

  /**
   * Assigns a location to a new series that is not refused, and returns its entry.
   *
   * @param startsAtMs time of its first point, epoch ms
   * @param source topic of that point
   */
  SeriesEntry register(String ident, Policy policy, long startsAtMs, SourceMetrics.Topic source) {
    return put(take(ident, positions.take(policy, startsAtMs), startsAtMs, source));
  }

  Collection<Location> all() {
    return locations.values();
  }

  /** Updates which series the new policies drop. */
  void updateDropped() {
    locations.forEach((ident, location) -> location.isDropped = codec.drops(ident));
  }

  /** Continues a segment under another version of its policy. */
  void changePolicy(Segment segment, Policy policy) {
    count(segment, -1);
    segment.changePolicy(policy);
    count(segment, 1);
  }

  /** Adds the series of a segment to the counted memory, or subtracts them. */
  private void count(Segment segment, int sign) {
    for (int series = 0; series < segment.width(); series++) {
      if (segment.ident(series) != null) {
        codec.memory().addSeries(sign, segment.ident(series), segment.policy());
      }
    }
  }

  /**
   * Reads the series of policies that exist again.
   *
   * @param back receives each series
   */
  void loadOthers(Consumer<Location> back) {
    seriesWithoutPolicy.clear();
    List<Segment> restored = segments.loadOthers();
    store.loadOthers(
        entry -> {
          boolean isBack = restore(entry);
          if (isBack) {
            back.accept(locations.get(entry.getIdent()));
          }
          return isBack;
        });
    restored.forEach(positions::restore);
    restored.forEach(Segment::start);
    warnOfSeriesWithoutPolicy();
  }

  /**
   * Moves a series to a policy. Its earlier points stay at its previous location.
   *
   * @return the new location; empty if the partition has no segment left
   */
  Optional<SeriesEntry> move(Location location, Policy policy) {
    Segment before = location.segment();
    int series = location.series();
    long lastMs = before.lastMs(series);
    long startsAtMs = Math.max(location.startsAtMs, lastMs);
    if (!positions.hasRoom(policy, startsAtMs)) {
      return Optional.empty();
    }
    location.startsAtMs = startsAtMs;
    Position position = positions.take(policy, location.startsAtMs);
    if (lastMs == Long.MIN_VALUE) { // slots from before a replay, or not from points
      location.startsAtMs = Math.max(location.startsAtMs, before.ownUntilMs(series));
    }
    position.segment().adopt(position.series(), before, series);
    before.free(series);
    positions.free(new Position(before, series));
    count(-1, location);
    location.moveTo(position);
    location.segment().assign(location.series(), location.ident(), location.source.name());
    count(1, location);
    return Optional.of(put(location));
  }

  private void count(int change, Location location) {
    Policy policy = location.segment().policy();
    counts.merge(policy.name(), change, Integer::sum);
    codec.memory().addSeries(change, location.ident(), policy);
    location.source.addSeries(change);
  }

  /** Releases a series that no policy covers; its location is kept in case a policy returns. */
  void release(Location location) {
    count(-1, location);
    locations.remove(location.ident());
    store.release(location.entry());
  }

  /** Deletes a released series and returns its entry; null if there is none. */
  SeriesEntry deleteReleased(String ident) {
    return store.deleteReleased(ident);
  }

  /** Forgets a policy that no longer exists, after its series have moved or left. */
  void forget(Policy policy) {
    counts.remove(policy.name());
    positions.forget(policy);
  }

  private SeriesEntry put(Location location) {
    SeriesEntry entry = location.entry();
    store.put(entry);
    return entry;
  }

  /**
   * Moves the start of a series back to its first point, after a replay. Returns the new entry;
   * empty if the point is not earlier, or if the previous series of the position has slots after
   * it.
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

  /** Removes a series, frees its position and returns its location. */
  Location retire(Segment segment, int series) {
    String ident = segment.ident(series);
    segment.free(series);
    Location location = locations.remove(ident);
    store.delete(ident);
    count(-1, location);
    positions.free(new Position(segment, series));
    return location;
  }

  /** Removes the series of a closed task from the metrics. */
  void close() {
    locations.values().forEach(location -> location.source.addSeries(-1));
  }
}
