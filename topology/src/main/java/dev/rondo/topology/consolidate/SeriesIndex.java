package dev.rondo.topology.consolidate;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.policy.Policy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where each series of a task lives: ident → segment and position. Positions are given once, in the
 * order in which series are first met, and never moved; the store behind keeps them.
 *
 * <p>A series whose policy was missing from the policies file for a while may live under another
 * one now: the store then tells only its new place. Its old one is still given, which the segment
 * tells: every given position has had a point.
 */
final class SeriesIndex {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesIndex.class);
  private static final int MAX_SEGMENTS = 1 << 16;

  /** A series' place: its segment, and its index there, from 0. */
  record Place(Segment segment, int series) {}

  /** The newest segment of a policy, and how many of its positions are given. */
  private record Filling(Segment segment, int given) {
    boolean isFull() {
      return given == segment.width();
    }
  }

  private final int partition;
  private final int width;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final KeyValueStore<String, SeriesEntry> positions;
  private final Map<String, Place> places = new HashMap<>();
  private final Map<String, Filling> fillings = new HashMap<>();
  private final Map<String, Integer> seriesOfGonePolicies = new TreeMap<>();
  private int segmentCount;

  SeriesIndex(
      int partition,
      int width,
      SegmentStore segments,
      SegmentCodec codec,
      KeyValueStore<String, SeriesEntry> positions) {
    this.partition = partition;
    this.width = width;
    this.segments = segments;
    this.codec = codec;
    this.positions = positions;
    try (KeyValueIterator<String, SeriesEntry> entries = positions.all()) {
      entries.forEachRemaining(this::restore);
    }
    segments.all().forEach(this::fillUpToLastPoint);
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
    places.put(known.key, new Place(segment, entry.getPos() - 1));
    fill(new Filling(segment, entry.getPos()));
  }

  /**
   * With at-least-once a crash may lose a segment that was never written back, though the places in
   * it are known already: it begins anew. Null where its policy is gone.
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

  private void fillUpToLastPoint(Segment segment) {
    countSegment(segment.number());
    int given = segment.width();
    while (given > 0 && segment.slots.lastMs(given - 1) == Long.MIN_VALUE) {
      given--;
    }
    fill(new Filling(segment, given));
  }

  private void countSegment(int number) {
    segmentCount = Math.max(segmentCount, (number & (MAX_SEGMENTS - 1)) + 1);
  }

  private void fill(Filling filling) {
    fillings.merge(filling.segment().policy().name(), filling, (a, b) -> isFurther(b, a) ? b : a);
  }

  private static boolean isFurther(Filling a, Filling b) {
    int aNumber = a.segment().number();
    int bNumber = b.segment().number();
    return aNumber > bNumber || (aNumber == bNumber && a.given() > b.given());
  }

  /** The place of a series; null for one that is not known yet. */
  Place find(String ident) {
    return places.get(ident);
  }

  int size() {
    return places.size();
  }

  /** Policies of restored series that the policies file lacks: how many series of each. */
  Map<String, Integer> seriesOfGonePolicies() {
    return Collections.unmodifiableMap(seriesOfGonePolicies);
  }

  /**
   * Gives a new series its place and returns its entry; null where the partition has no segment
   * left.
   *
   * @param bornMs time of its first point, epoch ms
   */
  SeriesEntry register(String ident, Policy policy, long bornMs) {
    Filling filling = fillings.get(policy.name());
    if (filling == null || filling.isFull()) {
      if (segmentCount == MAX_SEGMENTS) {
        return null;
      }
      Segment segment = codec.create(Segment.number(partition, segmentCount++), policy, width);
      segments.add(segment);
      filling = new Filling(segment, 0);
    }
    Segment segment = filling.segment();
    int series = filling.given();
    fillings.put(policy.name(), new Filling(segment, series + 1));
    places.put(ident, new Place(segment, series));
    SeriesEntry entry = new SeriesEntry(ident, policy.name(), segment.number(), series + 1, bornMs);
    positions.put(ident, entry);
    return entry;
  }
}
