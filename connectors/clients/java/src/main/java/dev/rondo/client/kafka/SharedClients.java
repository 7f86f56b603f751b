package dev.rondo.client.kafka;

import dev.rondo.client.RondoClient;
import java.util.HashMap;
import java.util.Map;

/**
 * One client for all reporters of the process that have the same settings. It stays open, as Kafka
 * clients come and go: a new one of the same name would publish a second point of its series in the
 * same step.
 */
final class SharedClients {
  private static final Map<Map<String, Object>, RondoClient> OPEN = new HashMap<>();

  private SharedClients() {}

  static synchronized RondoClient with(Map<String, Object> settings) {
    return OPEN.computeIfAbsent(settings, RondoClient::new);
  }
}
