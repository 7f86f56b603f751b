package dev.rondo.connect.postgres.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files that are shipped for Prometheus. */
final class Monitoring {
  static final Path RULES = Path.of("prometheus", "jmx-exporter.yml");
  private static final Path ALERTS = Path.of("../../deploy/prometheus/alerts.yml");

  private static final Pattern METRIC = Pattern.compile("\\b(?:rondo|kafka)_(?!part\\b)\\w+");

  private Monitoring() {}

  /** Rules of the exporter, each with its keys and values. */
  static List<Map<String, Object>> rules() {
    return list(load(RULES).get("rules"));
  }

  /** The alerts of the sink. */
  static List<Map<String, Object>> alerts() {
    return list(load(ALERTS).get("groups")).stream()
        .filter(group -> group.get("name").equals("rondo-sink"))
        .flatMap(group -> list(group.get("rules")).stream())
        .toList();
  }

  /** The metrics that the rules make. */
  static Set<String> ruleNames() {
    return rules().stream()
        .map(rule -> rule.get("name").toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The MBean attribute that a rule reads. */
  static String attribute(Map<String, Object> rule) {
    String pattern = rule.get("pattern").toString();
    return pattern.substring(pattern.indexOf("><>") + 3, pattern.lastIndexOf(':'));
  }

  /** Labels of the metric that a rule makes. */
  static List<String> labels(Map<String, Object> rule) {
    return ((Map<?, ?>) rule.get("labels")).keySet().stream().map(Object::toString).toList();
  }

  /** Metrics that the expressions of all alerts read. */
  static Set<String> alertMetrics() {
    return alerts().stream()
        .flatMap(alert -> metrics(alert).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Metrics that an alert's expression reads. */
  static Set<String> metrics(Map<String, Object> alert) {
    return METRIC
        .matcher(alert.get("expr").toString())
        .results()
        .map(match -> match.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, Object> load(Path file) {
    try (var in = Files.newBufferedReader(file)) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked") // the file's shape
  private static List<Map<String, Object>> list(Object value) {
    return (List<Map<String, Object>>) value;
  }
}
