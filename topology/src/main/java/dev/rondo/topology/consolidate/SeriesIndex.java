package dev.rondo.topology.consolidate;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Where each series of a task lives: ident → segment and position. Positions are given once, in the
 * order in which series are first met, and never moved; the store behind keeps them.
 */
final class SeriesIndex {
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
  }

  private void restore(KeyValue<String, SeriesEntry> known) {
    SeriesEntry entry = known.value;
    segmentCount = Math.max(segmentCount, (entry.getSeg() & (MAX_SEGMENTS - 1)) + 1);
    Segment segment = segments.get(entry.getSeg());
    if (segment == null) {
      return; // its policy is gone: should the series come again, it is a new one
    }
    places.put(known.key, new Place(segment, entry.getPos() - 1));
    fillings.merge(
        entry.getPolicy(), new Filling(segment, entry.getPos()), (a, b) -> isFurther(b, a) ? b : a);
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
