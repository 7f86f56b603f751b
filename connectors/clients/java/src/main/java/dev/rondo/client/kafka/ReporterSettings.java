package dev.rondo.client.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Derives the settings of a reporter's client from those of its Kafka client. */
final class ReporterSettings {
  private static final String OWN = "rondo.client.";
  private static final String PRODUCER_PREFIX = "rondo.client.producer.";
  private static final String PREFIX = "rondo.client.prefix";
  private static final String NODE = "kafka";
  private static final List<String> CONNECTION =
      List.of("bootstrap.servers", "client.dns.lookup", "security.", "ssl.", "sasl.");

  private ReporterSettings() {}

  static Map<String, Object> of(Map<String, ?> configs) {
    var settings = new HashMap<String, Object>();
    var ofProducer = new TreeMap<String, Object>();
    configs.forEach(
        (key, value) -> {
          if (key.startsWith(PRODUCER_PREFIX)) {
            ofProducer.put(key.substring(PRODUCER_PREFIX.length()), value);
          } else if (key.startsWith(OWN) || CONNECTION.stream().anyMatch(key::startsWith)) {
            settings.put(key, value);
          }
        });
    settings.putAll(ofProducer);
    // A separate node keeps the reporter's series, and those of its client, apart from the
    // application's.
    if (settings.get(PREFIX) instanceof String prefix && !prefix.isEmpty()) {
      settings.put(PREFIX, prefix + "." + NODE);
    } else if (settings.containsKey("rondo.client.tags")) {
      settings.put(PREFIX, NODE);
    }
    return settings;
  }
}
