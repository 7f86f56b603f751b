package dev.rondo.history.replay;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The table that a reader of {@code rondo.bundle-rows} builds: known values replace those of the
 * same slot, a newer slot instead of an older one, an older one not at all.
 */
final class RowTable implements AutoCloseable {
  private record Stored(long t, List<Double> values) {}

  private final KafkaConsumer<?, BundleRow> rows;
  private final KafkaConsumer<String, SeriesEntry> series;
  private final Map<String, Stored> byKey = new TreeMap<>();
  private final Map<String, String> locationByIdent = new TreeMap<>();
  private long read;

  RowTable(KafkaSpace kafka) {
    rows = consumer(kafka, TopicNames.of(kafka.prefix()).of(Topics.BUNDLE_ROWS));
    series = consumer(kafka, TopicNames.of(kafka.prefix()).of(Topics.SERIES));
  }

  private static <K, V> KafkaConsumer<K, V> consumer(KafkaSpace kafka, Topic<K, V> topic) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", kafka.bootstrap(),
            "auto.offset.reset", "earliest",
            "isolation.level", "read_committed");
    var consumer =
        new KafkaConsumer<>(
            config, topic.keySerde().deserializer(), topic.valueSerde().deserializer());
    consumer.assign(
        consumer.partitionsFor(topic.name()).stream()
            .map(info -> new TopicPartition(topic.name(), info.partition()))
            .toList());
    return consumer;
  }

  /** Reads new rows; returns the total number of rows read. */
  long poll() {
    series
        .poll(Duration.ZERO)
        .forEach(
            entry ->
                locationByIdent.put(
                    entry.key(), entry.value().getSeg() + "/" + entry.value().getPos()));
    var polled = rows.poll(Duration.ofMillis(200));
    polled.forEach(row -> merge(row.value()));
    read += polled.count();
    return read;
  }

  private void merge(BundleRow row) {
    byKey.merge(
        "%s %s %d %d %d %d"
            .formatted(
                row.getPolicy(),
                row.getCf(),
                row.getStepMs(),
                row.getSize(),
                row.getSeg(),
                row.getI()),
        new Stored(row.getT(), row.getDp()),
        RowTable::merged);
  }

  private static Stored merged(Stored stored, Stored news) {
    if (news.t != stored.t) {
      return news.t > stored.t ? news : stored;
    }
    List<Double> values = new ArrayList<>(stored.values);
    for (int p = 0; p < news.values.size(); p++) {
      if (p == values.size()) {
        values.add(news.values.get(p));
      } else if (!news.values.get(p).isNaN()) {
        values.set(p, news.values.get(p));
      }
    }
    return new Stored(stored.t, values);
  }

  /** Every bit of it, by row. */
  Map<String, String> bits() {
    return byKey.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                row ->
                    row.getValue().t
                        + row.getValue().values.stream()
                            .map(Double::toHexString)
                            .collect(Collectors.joining(" ", " ", "")),
                (a, b) -> a,
                TreeMap::new));
  }

  /** Known values of one series by the end of their slots. */
  Map<Long, Double> of(String ident, String function, long stepMs) {
    String[] location = locationByIdent.get(ident).split("/", 2);
    int position = Integer.parseInt(location[1]);
    Map<Long, Double> values = new TreeMap<>();
    byKey.forEach(
        (key, row) -> {
          String[] parts = key.split(" ", -1);
          if (parts[1].equals(function)
              && parts[2].equals(Long.toString(stepMs))
              && parts[4].equals(location[0])
              && row.values.size() >= position
              && !row.values.get(position - 1).isNaN()) {
            values.put(row.t, row.values.get(position - 1));
          }
        });
    return values;
  }

  @Override
  public void close() {
    rows.close();
    series.close();
  }
}
