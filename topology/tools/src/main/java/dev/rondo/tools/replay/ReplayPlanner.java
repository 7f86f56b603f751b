package dev.rondo.tools.replay;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.replay.ReplayPlan.Reason;
import dev.rondo.tools.replay.ReplayPlan.Rewind;
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
 * Works out which offset each source partition goes on with. All partitions that are rewound by
 * time are rewound to the same time: a series may be spread over them, and between two beginnings
 * it would be made of a part of its points.
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
   * @param sources the topics that points are read from
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
   * Changes nothing.
   *
   * @throws CommandException where the request does not fit the topics as they are
   */
  ReplayPlan plan(ReplayRequest request) throws ExecutionException, InterruptedException {
    request.check(sources);
    List<SourceOffset> positions = offsets.sources(sources);
    List<SourceOffset> skips = offsets.bySeries(bySeries);
    OffsetsCheck.check(request, positions);

    ReadFrom open = ReadFrom.openSlotsAt(policies, consolidatedMs(positions, skips), waitMs);
    ReadFrom asked = open;
    if (request.isFrom()) {
      asked = open.and(ReadFrom.wholeSlotsAfter(policies, request.fromMs().getAsLong()));
    } else if (request.isOffsets() && isMerging) {
      asked = open.and(earliest(request));
    }
    return rewind(request, positions, skips, asked, open);
  }

  /**
   * All that was written before has been consolidated, but for what waits: the oldest record that
   * has yet to be read, be it from a source or from by-series, or else the newest record there is.
   */
  private long consolidatedMs(List<SourceOffset> positions, List<SourceOffset> skips)
      throws ExecutionException, InterruptedException {
    long nowMs = clock.millis();
    OptionalLong newestMs =
        offsets.newestMs(positions.stream().map(SourceOffset::partition).toList());
    long consolidatedMs = Math.min(nowMs, newestMs.orElse(nowMs));
    Map<TopicPartition, Long> behind =
        positions.stream()
            .filter(SourceOffset::isBehind)
            .collect(Collectors.toMap(SourceOffset::partition, SourceOffset::next));
    for (long nextMs : times.at(behind).values()) {
      consolidatedMs = Math.min(consolidatedMs, nextMs);
    }
    return Math.min(consolidatedMs, times.earliestLeft(skips).orElse(consolidatedMs));
  }

  /** From the earliest of the given offsets on. */
  private ReadFrom earliest(ReplayRequest request) {
    Map<TopicPartition, Long> given = new HashMap<>();
    request
        .offsets()
        .forEach((p, offset) -> given.put(new TopicPartition(request.topics().get(0), p), offset));
    long earliestMs =
        times.at(given).values().stream().mapToLong(Long::longValue).min().orElse(clock.millis());
    return new ReadFrom(
        earliestMs,
        "the earliest of the given offsets is of %s, and a series may be in any partition"
            .formatted(PastTime.show(earliestMs)));
  }

  private ReplayPlan rewind(
      ReplayRequest request,
      List<SourceOffset> positions,
      List<SourceOffset> skips,
      ReadFrom asked,
      ReadFrom open)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> fromMs = new HashMap<>();
    for (SourceOffset position : positions) {
      boolean isAsked = request.topics().contains(position.partition().topic());
      fromMs.put(position.partition(), (isAsked ? asked : open).timeMs());
    }
    Map<TopicPartition, Long> byTime = offsets.at(fromMs);
    List<Rewind> rewinds = new ArrayList<>();
    for (SourceOffset position : positions) {
      rewinds.add(rewind(request, position, byTime.get(position.partition())));
    }
    List<String> notes = new PlanNotes(policies, times).of(request, rewinds, asked, open);
    return new ReplayPlan(rewinds, skips, notes);
  }

  private static Rewind rewind(ReplayRequest request, SourceOffset position, long byTime) {
    long offset = Math.max(position.beginning(), Math.min(position.next(), byTime));
    if (!request.topics().contains(position.partition().topic())) {
      return new Rewind(position, offset, Reason.OPEN_SLOTS);
    }
    if (request.isFrom()) {
      return new Rewind(position, offset, Reason.TIME);
    }
    if (!request.isOffsets()) {
      return new Rewind(position, position.beginning(), Reason.EARLIEST);
    }
    Long given = request.offsets().get(position.partition().partition());
    if (given == null) {
      return new Rewind(position, offset, Reason.WITH_GIVEN);
    }
    return new Rewind(position, given, given > offset ? Reason.GIVEN_LATE : Reason.GIVEN);
  }
}
