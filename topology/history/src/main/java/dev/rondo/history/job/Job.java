package dev.rondo.history.job;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import dev.rondo.rows.WriteMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * What a job does; fixed when it is made.
 *
 * @param id part of the names of its topics
 * @param parts of source partitions to read
 * @param formats of topics that are not sources, by topic
 * @param fromMs slots that end after it are written, epoch ms
 * @param toMs slots that end at or before it are written, epoch ms
 * @param beginMs slots that begin before it stay as they are, as Kafka has deleted records of them,
 *     epoch ms; 0 = none
 * @param series arguments that select series; empty = all
 * @param rate points a second of all workers; 0 = as many as they can
 * @param workers topologies that run side by side
 * @param ownTopics topics that are deleted with the job
 */
record Job(
    String id,
    List<Range> parts,
    Map<String, String> formats,
    long fromMs,
    long toMs,
    long beginMs,
    WriteMode mode,
    List<String> series,
    long rate,
    int workers,
    List<String> ownTopics) {
  /**
   * Records of a partition.
   *
   * @param begin first offset
   * @param end offset after the last one
   */
  record Range(String topic, int partition, long begin, long end) {
    /** Number of records, gaps included. */
    long records() {
      return end - begin;
    }
  }

  Job {
    parts = List.copyOf(parts);
    formats = Map.copyOf(formats);
    series = List.copyOf(series);
    ownTopics = List.copyOf(ownTopics);
  }

  /** Whether it writes the slots that end at {@code endMs}. */
  boolean writes(long endMs, long stepMs) {
    return endMs > fromMs && endMs <= toMs && endMs - stepMs >= beginMs;
  }

  /** The topics that it reads. */
  List<String> topics() {
    return parts.stream().map(Range::topic).distinct().sorted().toList();
  }

  /** Number of records, gaps included. */
  long records() {
    return parts.stream().mapToLong(Range::records).sum();
  }

  /** Number of records of each topic, sorted by its name. */
  Map<String, Long> recordsByTopic() {
    return parts.stream()
        .collect(groupingBy(Range::topic, TreeMap::new, summingLong(Range::records)));
  }

  /**
   * How many of them are read.
   *
   * @param committed next offsets
   */
  long read(Map<TopicPartition, Long> committed) {
    long read = 0;
    for (Range part : parts) {
      long next =
          committed.getOrDefault(new TopicPartition(part.topic(), part.partition()), part.begin());
      read += Math.min(part.end(), Math.max(part.begin(), next)) - part.begin();
    }
    return read;
  }

  /** Where its parts begin. */
  Map<TopicPartition, Long> begins() {
    return offsets(Range::begin);
  }

  /** Where its parts end. */
  Map<TopicPartition, Long> ends() {
    return offsets(Range::end);
  }

  private Map<TopicPartition, Long> offsets(ToLongFunction<Range> offset) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    parts.forEach(
        part ->
            offsets.put(
                new TopicPartition(part.topic(), part.partition()), offset.applyAsLong(part)));
    return offsets;
  }
}
