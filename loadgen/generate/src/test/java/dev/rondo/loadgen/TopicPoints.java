package dev.rondo.loadgen;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** All that a topic holds, as the topology decodes it. */
final class TopicPoints implements PointSink {
  /** Points {@code t value} of each series, in the order of their partition. */
  final Map<String, List<String>> bySeries = new TreeMap<>();

  /** Which partitions a series has points in: more than one are a fault. */
  final Map<String, Integer> partitions = new TreeMap<>();

  final List<String> moved = new ArrayList<>();
  long records;

  /** Records whose timestamp is the time of their newest point. */
  long recordsOfTheirPoints;

  long drops;
  private int partition;
  private long newestMs;

  /** Reads all partitions from end to end. */
  static TopicPoints read(String bootstrap, String topic, String format) {
    var points = new TopicPoints();
    Decoder decoder =
        Format.of(format)
            .orElseThrow()
            .decoder(new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()));
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of("bootstrap.servers", bootstrap),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, consumer.partitionsFor(topic).size())
              .mapToObj(n -> new TopicPartition(topic, n))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream().anyMatch(place -> consumer.position(place) < ends.get(place))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          points.records++;
          points.partition = record.partition();
          points.newestMs = Long.MIN_VALUE;
          decoder.decode(record.value(), record.timestamp(), points);
          points.recordsOfTheirPoints += points.newestMs == record.timestamp() ? 1 : 0;
        }
      }
    }
    return points;
  }

  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    bySeries.computeIfAbsent(ident, none -> new ArrayList<>()).add(tMs + " " + value);
    newestMs = Math.max(newestMs, tMs);
    Integer before = partitions.putIfAbsent(ident, partition);
    if (before != null && before != partition) {
      moved.add(ident);
    }
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    drops++;
  }
}
