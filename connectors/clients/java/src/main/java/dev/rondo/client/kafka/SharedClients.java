package dev.rondo.client.kafka;

import dev.rondo.client.RondoClient;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares one client among all reporters of the process with the same settings. It stays open while
 * Kafka clients come and go: a new client of the same name would publish a second point of a series
 * in one step.
 */
final class SharedClients {
  private static final Map<Map<String, Object>, RondoClient> OPEN = new HashMap<>();

  private SharedClients() {}

  static synchronized RondoClient with(Map<String, Object> settings) {
    return OPEN.computeIfAbsent(settings, RondoClient::new);
  }
}
