package dev.rondo.local.settings;

import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.kafka.KafkaSettings;
import dev.rondo.schemas.postgres.PostgresUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a start brings up.
 *
 * @param kafka settings of clients of the broker, started or external
 * @param startsKafka whether to start a broker
 * @param postgres the database, on a started or external server
 * @param startsPostgres whether to start a server
 * @param ports of the started servers, by part
 * @param sources file for the topology; null: its default
 * @param policies file for the topology; null: its default
 * @param topologySettings settings of the topology that the user gave
 * @param hostMetrics whether this machine's metrics are published
 * @param notes messages to the user about these choices
 */
public record Plan(
    KafkaSettings kafka,
    boolean startsKafka,
    PostgresUrl postgres,
    boolean startsPostgres,
    Map<String, Integer> ports,
    Path sources,
    Path policies,
    Map<String, String> topologySettings,
    boolean hostMetrics,
    List<String> notes) {
  public static final String KAFKA = "kafka";
  public static final String POSTGRES = "postgres";
  public static final String TOPOLOGY = "topology";
  public static final String CONNECT = "connect";
  public static final String CONNECT_METRICS = "connect-metrics"; // a port of the part connect
  public static final String API = "api";

  /** Roles on a started server. */
  public static final String SINK_USER = "rondo_sink";

  public static final String API_USER = "rondo_api";
  public static final String FILL_USER = "rondo_fill";

  public static final String PRUNE_USER = "rondo_prune";

  /** Names of what this Rondo has on the cluster. */
  public TopicNames names() {
    return TopicNames.of(topologySettings);
  }

  public String apiUrl() {
    return url(API);
  }

  public String connectUrl() {
    return url(CONNECT);
  }

  /** Metrics of the worker and the sink, for Prometheus. */
  public String connectMetricsUrl() {
    return url(CONNECT_METRICS) + "/metrics";
  }

  public String topologyUrl() {
    return url(TOPOLOGY);
  }

  /** The database with the role of the sink, which may write. */
  public PostgresUrl sinkPostgres() {
    return startsPostgres ? postgres.as(SINK_USER) : postgres;
  }

  /** The database with the role of the query API, which may read. */
  public PostgresUrl apiPostgres() {
    return startsPostgres ? postgres.as(API_USER) : postgres;
  }

  /** The database with the role that fills new archives. */
  public PostgresUrl fillPostgres() {
    return startsPostgres ? postgres.as(FILL_USER) : postgres;
  }

  public int port(String part) {
    return ports.get(part);
  }

  private String url(String part) {
    return "http://127.0.0.1:" + port(part);
  }
}
