package dev.rondo.tools.check.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The settings of a source, as options. */
final class SourceOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Format of the records (default: auto).")
  private String format;

  @Option(names = "--dialect", paramLabel = "DIALECT", description = "Dialect of the format.")
  private String dialect;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description = "Unit of times without one: s, ms, us or ns.")
  private String timeUnit;

  @Option(names = "--policy", paramLabel = "POLICY", description = "Policy of the series.")
  private String policy;

  @Option(
      names = "--template",
      paramLabel = "WORDS",
      description = "Template of paths, such as host.measurement.field.tags.")
  private String template;

  @Option(names = "--prefix", paramLabel = "NODES", description = "Nodes before the path.")
  private String prefix;

  @Option(
      names = "--drop-label",
      paramLabel = "REGEXP",
      description = "Labels to drop; can be repeated.")
  private List<String> dropped;

  @Option(
      names = "--rename-label",
      paramLabel = "KEY=NEW",
      description = "New key of a label; can be repeated.")
  private Map<String, String> renamed;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Tag of all events of the source; can be repeated.")
  private List<String> tags;

  /** The options as an entry of the sources file; empty without options. */
  Map<String, Object> entry(String topic) {
    Map<String, Object> entry = new HashMap<>();
    put(entry, "format", format);
    put(entry, "dialect", dialect);
    put(entry, "time.unit", timeUnit);
    put(entry, "policy", policy);
    put(entry, "template", template);
    put(entry, "prefix", prefix);
    put(entry, "tags", tags);
    Map<String, Object> labels = new HashMap<>();
    put(labels, "drop", dropped);
    put(labels, "rename", renamed);
    if (!labels.isEmpty()) {
      entry.put("labels", labels);
    }
    if (!entry.isEmpty()) {
      entry.put("topic", topic);
    }
    return entry;
  }

  private static void put(Map<String, Object> entry, String key, Object value) {
    if (value != null) {
      entry.put(key, value);
    }
  }
}
