package dev.rondo.topology.consolidate;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The newest time among the points of a partition. While points come it stands still between them;
 * while none come it goes on with the wall clock, so that slots of a silent partition close too.
 * Where points come from several topics, each at its own pace, it is the time of the topic that is
 * the furthest behind: the series of that one are not silent. A topic that brings nothing for long,
 * while others do, is left out.
 */
final class PartitionTime {
  private final Map<String, Lane> lanes = new HashMap<>();
  private Lane[] all;
  private final long maxWaitMs;
  private long seenWallMs;

  /** The time of the points of one topic. */
  static final class Lane {
    private long newestMs;
    private long seenWallMs;

    private Lane(long newestMs, long wallMs) {
      this.newestMs = newestMs;
      this.seenWallMs = wallMs;
    }
  }

  /**
   * Starts at the newest point that is known from before.
   *
   * @param topics that points are expected from; those of another one count once they come
   * @param newestMs time of that point, epoch ms; {@link Long#MIN_VALUE} = none
   * @param maxWaitMs a topic that is silent for longer than the others is left out
   */
  PartitionTime(Collection<String> topics, long newestMs, long maxWaitMs, long wallMs) {
    this.maxWaitMs = maxWaitMs;
    this.seenWallMs = wallMs;
    topics.forEach(topic -> lanes.put(topic, new Lane(newestMs, wallMs)));
    this.all = lanes.values().toArray(Lane[]::new);
  }

  /** The lane of a topic. */
  Lane lane(String topic) {
    Lane lane = lanes.get(topic);
    if (lane == null) {
      lane = new Lane(Long.MIN_VALUE, seenWallMs);
      lanes.put(topic, lane);
      all = lanes.values().toArray(Lane[]::new);
    }
    return lane;
  }

  void see(Lane lane, long tMs, long wallMs) {
    lane.newestMs = Math.max(lane.newestMs, tMs);
    lane.seenWallMs = wallMs;
    seenWallMs = wallMs;
  }

  /** Newest time of a point, epoch ms; {@link Long#MIN_VALUE} before the first. */
  long newestMs() {
    long slowestMs = Long.MAX_VALUE;
    for (Lane lane : all) {
      if (counts(lane)) {
        slowestMs = Math.min(slowestMs, lane.newestMs);
      }
    }
    return orNone(slowestMs);
  }

  /** Newest time of a point and what the clock has gone on since, epoch ms. */
  long atMs(long wallMs) {
    long slowestMs = Long.MAX_VALUE;
    for (Lane lane : all) {
      if (counts(lane)) {
        slowestMs = Math.min(slowestMs, lane.newestMs + Math.max(0, wallMs - lane.seenWallMs));
      }
    }
    return orNone(slowestMs);
  }

  /** One that has never brought a point is not behind. */
  private boolean counts(Lane lane) {
    return lane.newestMs != Long.MIN_VALUE && seenWallMs - lane.seenWallMs <= maxWaitMs;
  }

  private static long orNone(long ms) {
    return ms == Long.MAX_VALUE ? Long.MIN_VALUE : ms;
  }
}
