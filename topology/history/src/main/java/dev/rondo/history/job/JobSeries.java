package dev.rondo.history.job;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** The series of a job by the location that its topologies gave them, which never changes. */
final class JobSeries implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final Consumer<String, SeriesEntry> consumer;
  private final Map<Location, SeriesEntry> entries = new HashMap<>();

  private record Location(String policy, int seg, int pos) {}

  JobSeries(TopologyConfig config) {
    consumer =
        new KafkaConsumer<>(
            config.reader(),
            Topics.SERIES.keySerde().deserializer(),
            Topics.SERIES.valueSerde().deserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(config.topic(Topics.SERIES).name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** The series at a position, from 1, of a row. An entry is committed with its first row. */
  SeriesEntry at(BundleRow row, int pos) {
    Location location = new Location(row.getPolicy(), row.getSeg(), pos);
    SeriesEntry entry = entries.get(location);
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (entry == null) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("no series has the location %s".formatted(location));
      }
      read();
      entry = entries.get(location);
    }
    return entry;
  }

  private void read() {
    for (ConsumerRecord<String, SeriesEntry> record : consumer.poll(POLL)) {
      SeriesEntry entry = record.value();
      if (entry != null) {
        entries.put(new Location(entry.getPolicy(), entry.getSeg(), entry.getPos()), entry);
      }
    }
  }

  /** Reads all that there are. */
  void readAll() {
    var ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      read();
    }
  }

  /** All series that were read. */
  Collection<SeriesEntry> all() {
    return entries.values();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
