package dev.rondo.history.replay;

import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.history.offsets.RewindTime;
import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.history.replay.ReplayPlan.Reason;
import dev.rondo.history.replay.ReplayPlan.Rewind;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PastTime;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.policy.Policies;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Computes the offset from which each source partition continues. All partitions that are rewound
 * by time are rewound to the same time: a series may be spread over them, and between two start
 * times it would be computed from a part of its points.
 */
final class ReplayPlanner {
  private final List<String> sources;
  private final String bySeries;
  private final boolean isMerging;
  private final long waitMs;
  private final Policies policies;
  private final GroupOffsets offsets;
  private final RecordTimes times;
  private final Clock clock;

  /**
   * @param sources names of the source topics
   */
  ReplayPlanner(
      TopologyConfig config,
      List<String> sources,
      GroupOffsets offsets,
      RecordTimes times,
      Clock clock) {
    this.sources = sources;
    this.bySeries = config.getString("application.id") + "-" + Decode.BY_SERIES + "-repartition";
    this.isMerging = config.getBoolean("merge.sources");
    this.waitMs = isMerging ? config.getLong("merge.max.wait.ms") : 0;
    this.policies = config.policies();
    this.offsets = offsets;
    this.times = times;
    this.clock = clock;
  }

  /**
   * Plans a replay; changes nothing.
   *
   * @throws CommandException if the request does not fit the topics
   */
  ReplayPlan plan(ReplayRequest request) throws ExecutionException, InterruptedException {
    request.check(sources);
    List<SourceOffset> sourceOffsets = offsets.sources(sources);
    List<SourceOffset> skips = offsets.bySeries(bySeries);
    OffsetsCheck.check(request, sourceOffsets);

    RewindTime open =
        RewindTime.openSlotsAt(policies, consolidatedMs(sourceOffsets, skips), waitMs);
    RewindTime requested = open;
    if (request.isFrom()) {
      requested = open.and(RewindTime.completeSlotsAfter(policies, request.fromMs().getAsLong()));
    } else if (request.isOffsets() && isMerging) {
      requested = open.and(earliest(request));
    }
    return rewind(request, sourceOffsets, skips, requested, open);
  }

  /**
   * Time, epoch ms, before which every record has been consolidated, except for buffered points:
   * that of the oldest unread record of a source or of by-series; if all are read, that of the
   * newest record.
   */
  private long consolidatedMs(List<SourceOffset> sourceOffsets, List<SourceOffset> skips)
      throws ExecutionException, InterruptedException {
    long nowMs = clock.millis();
    OptionalLong newestMs =
        offsets.newestMs(sourceOffsets.stream().map(SourceOffset::partition).toList());
    long consolidatedMs = Math.min(nowMs, newestMs.orElse(nowMs));
    Map<TopicPartition, Long> behind =
        sourceOffsets.stream()
            .filter(SourceOffset::isBehind)
            .collect(Collectors.toMap(SourceOffset::partition, SourceOffset::next));
    for (long nextMs : times.at(behind).values()) {
      consolidatedMs = Math.min(consolidatedMs, nextMs);
    }
    return Math.min(consolidatedMs, times.earliestLeft(skips).orElse(consolidatedMs));
  }

  /** The time of the earliest given offset. */
  private RewindTime earliest(ReplayRequest request) {
    Map<TopicPartition, Long> given = new HashMap<>();
    request
        .offsets()
        .forEach((p, offset) -> given.put(new TopicPartition(request.topics().get(0), p), offset));
    long earliestMs =
        times.at(given).values().stream().mapToLong(Long::longValue).min().orElse(clock.millis());
    return new RewindTime(
        earliestMs,
        "the record at the earliest given offset was written at %s, and a series may be in any partition"
            .formatted(PastTime.show(earliestMs)));
  }

  private ReplayPlan rewind(
      ReplayRequest request,
      List<SourceOffset> sourceOffsets,
      List<SourceOffset> skips,
      RewindTime requested,
      RewindTime open)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> fromMs = new HashMap<>();
    for (SourceOffset source : sourceOffsets) {
      boolean isRequested = request.topics().contains(source.partition().topic());
      fromMs.put(source.partition(), (isRequested ? requested : open).timeMs());
    }
    Map<TopicPartition, Long> byTime = offsets.at(fromMs);
    List<Rewind> rewinds = new ArrayList<>();
    for (SourceOffset source : sourceOffsets) {
      rewinds.add(rewind(request, source, byTime.get(source.partition())));
    }
    List<String> notes = new PlanNotes(policies, times).of(request, rewinds, requested, open);
    return new ReplayPlan(rewinds, skips, notes);
  }

  private static Rewind rewind(ReplayRequest request, SourceOffset source, long byTime) {
    long offset = Math.max(source.beginning(), Math.min(source.next(), byTime));
    if (!request.topics().contains(source.partition().topic())) {
      return new Rewind(source, offset, Reason.OPEN_SLOTS);
    }
    if (request.isFrom()) {
      return new Rewind(source, offset, Reason.TIME);
    }
    if (!request.isOffsets()) {
      return new Rewind(source, source.beginning(), Reason.EARLIEST);
    }
    Long given = request.offsets().get(source.partition().partition());
    if (given == null) {
      return new Rewind(source, offset, Reason.WITH_GIVEN);
    }
    return new Rewind(source, given, given > offset ? Reason.GIVEN_LATE : Reason.GIVEN);
  }
}
