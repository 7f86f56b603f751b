package dev.rondo.history.job;

import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.history.offsets.RewindTime;
import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Finds the records that a job reads, by the times at which they were written. */
final class JobPlanner {
  private static final long CLOCKS_MS = 60_000;

  private final Policies policies;
  private final long waitMs;

  JobPlanner(TopologyConfig config, Policies policies) {
    this.policies = policies;
    this.waitMs = config.getBoolean("merge.sources") ? config.getLong("merge.max.wait.ms") : 0;
  }

  /**
   * End of the newest slots that the running topology has finished, epoch ms: their points were
   * written, and their series are silent or have later points.
   */
  long closedMs(long nowMs) {
    return nowMs - waitMs - CLOCKS_MS - longest(JobPlanner::openMs);
  }

  /** Name of the policy whose slots close last; empty without policies. */
  String closesLast() {
    return kept().max(Comparator.comparingLong(JobPlanner::openMs)).map(Policy::name).orElse("");
  }

  /** How long after their end slots may stay open. */
  private static long openMs(Policy policy) {
    return policy.silenceMs() + policy.reorderMs();
  }

  /**
   * What a job reads.
   *
   * @param beginMs {@link Job#beginMs}
   */
  record Records(List<Job.Range> parts, long beginMs) {}

  /**
   * The records for all slots that end after {@code fromMs} and at or before {@code toMs}: from the
   * beginning of the first of them, less a heartbeat, to a heartbeat after the last.
   */
  Records records(
      GroupOffsets group, RecordTimes times, List<String> topics, long fromMs, long toMs)
      throws ExecutionException, InterruptedException {
    long readFromMs = RewindTime.completeSlotsAfter(policies, fromMs).timeMs();
    long readToMs = toMs + CLOCKS_MS + waitMs + longest(JobPlanner::openMs);
    List<SourceOffset> offsets = group.sources(topics);
    Map<TopicPartition, Long> begins = at(group, offsets, readFromMs);
    Map<TopicPartition, Long> ends =
        times.noneBefore(at(group, offsets, readToMs), ends(offsets), readToMs);
    var parts = new ArrayList<Job.Range>();
    var cut = new HashMap<TopicPartition, Long>();
    for (SourceOffset offset : offsets) {
      TopicPartition partition = offset.partition();
      long begin = Math.max(offset.beginning(), begins.get(partition));
      long end = Math.max(offset.beginning(), ends.get(partition));
      parts.add(new Job.Range(partition.topic(), partition.partition(), begin, end));
      if (begin > 0 && begin == offset.beginning()) {
        cut.put(partition, begin);
      }
    }
    long cutMs = times.at(cut).values().stream().mapToLong(ms -> ms).max().orElse(0);
    return new Records(
        parts, cutMs > readFromMs ? cutMs + CLOCKS_MS + longest(JobPlanner::openMs) : 0);
  }

  /** All records of topics. */
  List<Job.Range> all(GroupOffsets group, List<String> topics)
      throws ExecutionException, InterruptedException {
    return group.sources(topics).stream()
        .map(
            offset ->
                new Job.Range(
                    offset.partition().topic(),
                    offset.partition().partition(),
                    offset.beginning(),
                    offset.end()))
        .toList();
  }

  private static Map<TopicPartition, Long> ends(List<SourceOffset> offsets) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    offsets.forEach(offset -> ends.put(offset.partition(), offset.end()));
    return ends;
  }

  private static Map<TopicPartition, Long> at(
      GroupOffsets group, List<SourceOffset> offsets, long timeMs)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> times = new HashMap<>();
    offsets.forEach(offset -> times.put(offset.partition(), timeMs));
    return group.at(times);
  }

  private long longest(ToLongFunction<Policy> span) {
    return kept().mapToLong(span).max().orElse(0);
  }

  private Stream<Policy> kept() {
    return policies.inOrder().stream().filter(policy -> !policy.drops());
  }
}
