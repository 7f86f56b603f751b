package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.policy.Policy;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Location of each series of a task: ident → segment and position. Positions are assigned in the
 * order in which series first appear, and never change; a store keeps them. The position of a
 * series that was retired, or that another policy covers now, is reused for a later series.
 */
final class SeriesIndex {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesIndex.class);

  /** Location of a series: its segment, and its index there, from 0. */
  record Location(Segment segment, int series) {}

  /** The newest segment of a policy, and how many of its positions are assigned. */
  private record Filling(Segment segment, int given) {
    boolean isFull() {
      return given == segment.width();
    }
  }

  /** A position that can be reused. */
  private record Free(Location location, long untilMs) {}

  private final int partition;
  private final int partitions;
  private final int width;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final KeyValueStore<String, SeriesEntry> positions;
  private final Map<String, Location> locations = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<String, Filling> fillings = new HashMap<>();
  private final Map<String, Queue<Free>> free = new HashMap<>();
  private final Map<String, Integer> seriesOfGonePolicies = new TreeMap<>();
  private int segmentCount;

  /**
   * Restores what the stores hold.
   *
   * @param partitions of the application: each has its share of a policy's {@code max.series}
   * @param width positions in a new segment
   */
  SeriesIndex(
      int partition,
      int partitions,
      int width,
      SegmentStore segments,
      SegmentCodec codec,
      KeyValueStore<String, SeriesEntry> positions) {
    this.partition = partition;
    this.partitions = partitions;
    this.width = width;
    this.segments = segments;
    this.codec = codec;
    this.positions = positions;
    try (KeyValueIterator<String, SeriesEntry> entries = positions.all()) {
      entries.forEachRemaining(this::restore);
    }
    segments.leftOut().forEach(this::countSegment);
    segments.all().forEach(this::restorePositions);
    seriesOfGonePolicies.forEach(
        (policy, series) ->
            LOG.warn(
                "partition {}: {} series of policy '{}', which the policies file lacks; one that"
                    + " sends will be a new series of the policy that covers it now (policies.file)",
                partition,
                series,
                policy));
  }

  private void restore(KeyValue<String, SeriesEntry> known) {
    SeriesEntry entry = known.value;
    countSegment(entry.getSeg());
    Segment segment = segments.get(entry.getSeg());
    if (segment == null) {
      segment = neverSaved(entry);
    }
    if (segment == null) {
      seriesOfGonePolicies.merge(entry.getPolicy(), 1, Integer::sum);
      return; // should the series come again, it is a new one
    }
    take(known.key, new Location(segment, entry.getPos() - 1));
    fill(new Filling(segment, entry.getPos()));
  }

  private void take(String ident, Location location) {
    locations.put(ident, location);
    location.segment().idents[location.series()] = ident;
    counts.merge(location.segment().policy().name(), 1, Integer::sum);
    codec.memory().addSeries(1, ident, location.segment().policy());
  }

  /**
   * With at-least-once a crash may lose a segment that was never written back, though the locations
   * in it are known already: creates an empty one. Null if its policy was removed.
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
    int given = 0;
    for (int series = 0; series < segment.width(); series++) {
      if (segment.isGiven(series)) {
        given = series + 1;
        if (segment.idents[series] == null) {
          segment.leave(series); // it went elsewhere while its policy was gone
          addFree(new Location(segment, series));
        }
      }
    }
    fill(new Filling(segment, given));
  }

  private void addFree(Location location) {
    free.computeIfAbsent(
            location.segment().policy().name(),
            policy -> new PriorityQueue<>(Comparator.comparingLong(Free::untilMs)))
        .add(new Free(location, location.segment().usedUntilMs(location.series())));
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
    return aNumber > bNumber || (aNumber == bNumber && a.given() > b.given());
  }

  /** The location of a series; null for one that is not known yet. */
  Location find(String ident) {
    return locations.get(ident);
  }

  /** The location of a series as it was last emitted. */
  SeriesEntry entry(String ident) {
    return positions.get(ident);
  }

  int size() {
    return locations.size();
  }

  /** Policies of restored series that the policies file lacks: how many series of each. */
  Map<String, Integer> seriesOfGonePolicies() {
    return Collections.unmodifiableMap(seriesOfGonePolicies);
  }

  /** Why a new series of the policy cannot get a location; empty if it can. */
  Optional<DropReason> refusal(Policy policy) {
    long share = (policy.maxSeries() + partitions - 1L) / partitions;
    if (counts.getOrDefault(policy.name(), 0) >= share) {
      return Optional.of(DropReason.TOO_MANY_SERIES);
    }
    Filling filling = fillings.get(policy.name());
    boolean needsSegment = filling == null || filling.isFull();
    if (needsSegment && segmentCount == SegmentNumber.MAX_SEGMENTS) {
      return Optional.of(DropReason.NO_ROOM);
    }
    return codec.memory().series().isFull() ? Optional.of(DropReason.NO_MEMORY) : Optional.empty();
  }

  /**
   * Gives a new series, which is not refused, its location and returns its entry. A position that
   * another has left is given where no slot of the other's ends after the new one's birth, be it
   * valid from an earlier time, by the reorder window.
   *
   * @param validFromMs time of its first point, epoch ms
   */
  SeriesEntry register(String ident, Policy policy, long validFromMs) {
    Queue<Free> left = free.get(policy.name());
    boolean reuses =
        left != null
            && !left.isEmpty()
            && left.peek().untilMs() <= validFromMs - policy.reorderMs();
    Location location = reuses ? left.remove().location() : newLocation(policy);
    if (reuses) {
      location.segment().leave(location.series());
      segments.changed(location.segment());
    }
    take(ident, location);
    return put(ident, location, validFromMs);
  }

  private Location newLocation(Policy policy) {
    Filling filling = fillings.get(policy.name());
    if (filling == null || filling.isFull()) {
      Segment segment = codec.create(SegmentNumber.of(partition, segmentCount++), policy, width);
      segments.add(segment);
      filling = new Filling(segment, 0);
    }
    fillings.put(policy.name(), new Filling(filling.segment(), filling.given() + 1));
    return new Location(filling.segment(), filling.given());
  }

  private SeriesEntry put(String ident, Location location, long validFromMs) {
    Segment segment = location.segment();
    SeriesEntry entry =
        new SeriesEntry(
            ident, segment.policy().name(), segment.number(), location.series() + 1, validFromMs);
    positions.put(ident, entry);
    return entry;
  }

  /**
   * A series is valid from its first point, which a replay may find to be earlier. Returns its new
   * entry; empty where it is no earlier, or where a former series of its position has told slots
   * after that.
   */
  Optional<SeriesEntry> moveValidFrom(Segment segment, int series, long firstMs) {
    String ident = segment.idents[series];
    long previousUntilMs = segment.history.previousUntilMs(series);
    if (firstMs >= positions.get(ident).getValidFrom() || previousUntilMs > firstMs) {
      return Optional.empty();
    }
    return Optional.of(put(ident, new Location(segment, series), firstMs));
  }

  /** Takes its position from a series. Returns its ident. */
  String retire(Segment segment, int series) {
    String ident = segment.idents[series];
    segment.leave(series);
    segments.changed(segment);
    locations.remove(ident);
    positions.delete(ident);
    counts.merge(segment.policy().name(), -1, Integer::sum);
    codec.memory().addSeries(-1, ident, segment.policy());
    addFree(new Location(segment, series));
    return ident;
  }
}
