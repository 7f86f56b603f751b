package dev.rondo.connection.kafka;

import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Replication of the topics that Rondo creates. The default of the brokers applies, unless it is 1
 * (Kafka's own default) in a cluster of several brokers: then the factor is up to 3.
 *
 * @param factor replicas of a partition; empty = the default of the broker
 * @param configs topic configs that go with the factor
 */
public record Replication(Optional<Short> factor, Map<String, String> configs) {
  private static final int MAX_FACTOR = 3;
  private static final Replication BROKER_DEFAULT = new Replication(Optional.empty(), Map.of());

  /**
   * Reads the defaults of this cluster; leaves the factor to the brokers if this client may not
   * describe them.
   */
  public static Replication of(Admin admin) throws ExecutionException, InterruptedException {
    var brokers = admin.describeCluster().nodes().get();
    Config defaults;
    try {
      defaults = defaults(admin, brokers.iterator().next());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return BROKER_DEFAULT;
      }
      throw e;
    }
    return of(
        brokers.size(),
        number(defaults, "default.replication.factor"),
        number(defaults, MIN_IN_SYNC_REPLICAS_CONFIG));
  }

  static Config defaults(Admin admin, Node broker) throws ExecutionException, InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
    return admin.describeConfigs(List.of(resource)).all().get().get(resource);
  }

  static int number(Config config, String key) {
    return config.get(key) == null ? 1 : Integer.parseInt(config.get(key).value());
  }

  static int wanted(int brokers, int byDefault) {
    return byDefault > 1 ? byDefault : Math.min(MAX_FACTOR, brokers);
  }

  /**
   * Returns the replication for a cluster of this many brokers.
   *
   * @param byDefault {@code default.replication.factor} of the brokers
   * @param minInSync {@code min.insync.replicas} of the brokers
   */
  static Replication of(int brokers, int byDefault, int minInSync) {
    int factor = wanted(brokers, byDefault);
    boolean canLoseOne = factor >= MAX_FACTOR && minInSync < 2;
    return new Replication(
        byDefault > 1 ? Optional.empty() : Optional.of((short) factor),
        canLoseOne ? Map.of(MIN_IN_SYNC_REPLICAS_CONFIG, "2") : Map.of());
  }
}
