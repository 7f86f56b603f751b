package dev.rondo.tools.policies;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.TopicReader;
import java.util.HashMap;
import java.util.Map;

/** The series that the topology knows, from {@code rondo.series}. */
final class KnownSeries {
  private KnownSeries() {}

  /** Name of the policy by ident. */
  static Map<String, String> policies(TopologyConfig config) throws InterruptedException {
    Map<String, String> policies = new HashMap<>();
    Map<String, String> names = new HashMap<>(); // one object for each name
    TopicReader.read(
        config,
        config.topic(Topics.SERIES),
        (ident, entry) -> {
          if (entry == null) {
            policies.remove(ident);
          } else {
            policies.put(ident, names.computeIfAbsent(entry.getPolicy(), name -> name));
          }
        });
    return policies;
  }
}
