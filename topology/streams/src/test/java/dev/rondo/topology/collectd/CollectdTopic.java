package dev.rondo.topology.collectd;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Content of the records of one topic. Times are whole seconds, as in Graphite. */
final class CollectdTopic implements PointSink {
  private final Decoder decoder;
  private final Map<String, Map<Long, Double>> series = new TreeMap<>();
  private final List<String> drops = new ArrayList<>();
  private final Set<String> keys = new TreeSet<>();
  private int records;

  CollectdTopic(Format format) {
    this.decoder =
        format.decoder(new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()));
  }

  void take(ConsumerRecord<byte[], byte[]> record) {
    records++;
    keys.add(new String(record.key(), StandardCharsets.UTF_8));
    decoder.decode(record.value(), record.timestamp(), this);
  }

  /** collectd rounds to seconds if its format has no fractions. */
  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    series.computeIfAbsent(ident, i -> new TreeMap<>()).put(Math.round(tMs / 1000.0), value);
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    drops.add(reason.key() + ": " + detail);
  }

  Set<String> series() {
    return series.keySet();
  }

  Double valueAt(String ident, long second) {
    return series.getOrDefault(ident, Map.of()).get(second);
  }

  List<String> drops() {
    return drops;
  }

  Set<String> keys() {
    return keys;
  }

  int records() {
    return records;
  }

  /** Number of points that both have. */
  int commonWith(CollectdTopic other) {
    int common = 0;
    for (Map.Entry<String, Map<Long, Double>> one : series.entrySet()) {
      for (Long second : one.getValue().keySet()) {
        common += other.valueAt(one.getKey(), second) == null ? 0 : 1;
      }
    }
    return common;
  }

  /** Points that both have with different values. */
  List<String> differencesTo(CollectdTopic other) {
    List<String> differences = new ArrayList<>();
    series.forEach(
        (ident, values) ->
            values.forEach(
                (second, value) -> {
                  Double others = other.valueAt(ident, second);
                  if (others != null && !others.equals(value)) {
                    differences.add("%s at %d: %s, %s".formatted(ident, second, value, others));
                  }
                }));
    return differences;
  }
}
