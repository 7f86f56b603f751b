package dev.rondo.schemas;

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
 * How often the topics that Rondo makes are kept in a cluster: as its brokers say, unless that is
 * once though there are several of them (once is Kafka's default, whatever the cluster).
 *
 * @param factor replicas of a partition; empty = as the broker says
 * @param configs of a topic, which go with it
 */
public record Replication(Optional<Short> factor, Map<String, String> configs) {
  private static final int MOST = 3;
  private static final Replication AS_THE_BROKER_SAYS = new Replication(Optional.empty(), Map.of());

  /** Of this cluster. Where its settings may not be read, they are left to it. */
  public static Replication of(Admin admin) throws ExecutionException, InterruptedException {
    var brokers = admin.describeCluster().nodes().get();
    Config defaults;
    try {
      defaults = defaults(admin, brokers.iterator().next());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return AS_THE_BROKER_SAYS;
      }
      throw e;
    }
    return of(
        brokers.size(),
        number(defaults, "default.replication.factor"),
        number(defaults, MIN_IN_SYNC_REPLICAS_CONFIG));
  }

  private static Config defaults(Admin admin, Node broker)
      throws ExecutionException, InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
    return admin.describeConfigs(List.of(resource)).all().get().get(resource);
  }

  private static int number(Config config, String key) {
    return config.get(key) == null ? 1 : Integer.parseInt(config.get(key).value());
  }

  /**
   * Of a cluster of so many brokers.
   *
   * @param byDefault replicas of a topic that does not say how many
   * @param minInSync by default, replicas that must have a record before it is acknowledged
   */
  static Replication of(int brokers, int byDefault, int minInSync) {
    int factor = byDefault > 1 ? byDefault : Math.min(MOST, brokers);
    boolean canLoseOne = factor >= MOST && minInSync < 2;
    return new Replication(
        byDefault > 1 ? Optional.empty() : Optional.of((short) factor),
        canLoseOne ? Map.of(MIN_IN_SYNC_REPLICAS_CONFIG, "2") : Map.of());
  }
}
