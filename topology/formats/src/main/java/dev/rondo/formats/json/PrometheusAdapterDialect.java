package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import java.util.List;
import java.util.Set;

/**
 * Telefónica's prometheus-kafka-adapter: one sample per object, value as text, time in whole
 * seconds. Its Avro-JSON looks the same.
 *
 * <pre>
 *   {"labels":{"__name__":"up","job":"node"},"name":"up","timestamp":"2016-02-12T23:44:50Z","value":"1"}
 * </pre>
 */
final class PrometheusAdapterDialect implements Dialect {
  @Override
  public String key() {
    return "prometheus-adapter";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("labels", "timestamp", "value"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    Labels labels = sink.labels();
    Members.labels(element, "labels", labels);
    String name = labels.remove("__name__");
    long tMs = Numbers.rfc3339Ms(element, "timestamp");
    double value = Numbers.of(element, Members.of(element, "value"), "value");
    sink.point(name == null ? Members.text(element, "name") : name, "", tMs, value);
  }
}
