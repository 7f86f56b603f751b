package dev.rondo.formats.json;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.List;
import java.util.Set;

/**
 * Vector's metric events, {@code encoding.codec = "json"}: the series is {@code namespace.name}. An
 * event without a timestamp gets the time at which its record was written. Incremental values are
 * stored as sent.
 *
 * <pre>
 *   {"name":"cpu_seconds_total","namespace":"host","tags":{"mode":"idle"},
 *    "timestamp":"2024-01-01T00:00:00Z","kind":"absolute","counter":{"value":1234.5}}
 *
 *   counter, gauge                               a point
 *   aggregated_histogram, aggregated_summary     many: {@link VectorAggregate}
 *   set, distribution, sketch                    unsupported
 * </pre>
 *
 * Source: vector.dev/docs/architecture/data-model/metric.
 */
final class VectorDialect implements Dialect {
  private static final List<String> TYPES =
      List.of(
          "counter",
          "gauge",
          "aggregated_histogram",
          "aggregated_summary",
          "set",
          "distribution",
          "sketch");

  @Override
  public String key() {
    return "vector";
  }

  @Override
  public List<Set<String>> signatures() {
    return TYPES.stream().map(type -> Set.of("name", "kind", type)).toList();
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    String namespace = Members.textOrNone(element, "namespace");
    String metric = Members.text(element, "name");
    String name = namespace.isEmpty() ? metric : namespace + "." + metric;
    long tMs =
        Members.has(element, "timestamp") ? Numbers.rfc3339Ms(element, "timestamp") : sink.nowMs();
    Members.labels(element, "tags", sink.labels());
    for (int at = element.first(0); at < element.end(0); at = element.next(at)) {
      switch (element.key(at)) {
        case "counter", "gauge" -> {
          sink.field(name, "value", tMs, element, Members.of(element, at, "value"));
          return;
        }
        case "aggregated_histogram" -> {
          new VectorAggregate(element, at, name, tMs, sink).histogram();
          return;
        }
        case "aggregated_summary" -> {
          new VectorAggregate(element, at, name, tMs, sink).summary();
          return;
        }
        default -> {}
      }
    }
    throw new DroppedException(
        DropReason.UNSUPPORTED,
        "'%s' is not a counter, gauge, aggregated_histogram or aggregated_summary"
            .formatted(Excerpt.of(name)));
  }
}
