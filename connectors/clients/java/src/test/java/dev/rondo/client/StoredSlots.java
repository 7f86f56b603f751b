package dev.rondo.client;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Slots written by the topology, by series and end of the slot. */
final class StoredSlots implements AutoCloseable {
  private record Location(int segment, int position) {}

  private final Consumer<String, SeriesEntry> series;
  private final Consumer<BundleRowKey, BundleRow> rows;
  private final Map<String, Location> locations = new HashMap<>();
  private final Map<Location, Map<Long, Double>> slots = new HashMap<>();

  StoredSlots(KafkaSpace kafka) {
    TopicNames names = TopicNames.of(kafka.prefix());
    series = consumer(kafka, names.of(Topics.SERIES));
    rows = consumer(kafka, names.of(Topics.BUNDLE_ROWS));
  }

  private static <K, V> Consumer<K, V> consumer(KafkaSpace kafka, Topic<K, V> topic) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", kafka.bootstrap(),
            "auto.offset.reset", "earliest",
            "isolation.level", "read_committed");
    Consumer<K, V> consumer =
        new KafkaConsumer<>(
            settings, topic.keySerde().deserializer(), topic.valueSerde().deserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic.name()).stream()
            .map(info -> new TopicPartition(topic.name(), info.partition()))
            .toList();
    consumer.assign(partitions);
    return consumer;
  }

  /** Reads slots written since the last call. */
  void poll() {
    series
        .poll(Duration.ofMillis(50))
        .forEach(
            entry ->
                locations.put(
                    entry.key(), new Location(entry.value().getSeg(), entry.value().getPos())));
    rows.poll(Duration.ofMillis(50)).forEach(row -> add(row.value()));
  }

  private void add(BundleRow row) {
    for (int n = 0; n < row.getDp().size(); n++) {
      if (!Double.isNaN(row.getDp().get(n))) {
        slots
            .computeIfAbsent(new Location(row.getSeg(), n + 1), at -> new TreeMap<>())
            .put(row.getT(), row.getDp().get(n));
      }
    }
  }

  /** Returns values of a series by end of the slot, epoch ms; empty without slots. */
  Map<Long, Double> of(String ident) {
    return slots.getOrDefault(locations.get(ident), Map.of());
  }

  double sum(String ident) {
    return of(ident).values().stream().mapToDouble(value -> value).sum();
  }

  /** Returns the newest values of all series whose idents have this prefix. */
  Set<Double> newest(String prefix) {
    return locations.keySet().stream()
        .filter(ident -> ident.startsWith(prefix))
        .flatMap(ident -> of(ident).entrySet().stream().max(Map.Entry.comparingByKey()).stream())
        .map(Map.Entry::getValue)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    series.close();
    rows.close();
  }
}
