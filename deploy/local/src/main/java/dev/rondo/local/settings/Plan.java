package dev.rondo.local.settings;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.schemas.TopicNames;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of a start.
 *
 * @param kafka settings of clients of the broker, started or external
 * @param startsKafka whether to start a broker
 * @param postgres the database, on a started or external server
 * @param startsPostgres whether to start a server
 * @param postgresUsers users of the parts
 * @param apiToken file of the token that the query API requires; null = none
 * @param ports of the started servers, by part
 * @param sources file for the topology; null: its default
 * @param policies file for the topology; null: its default
 * @param names of this Rondo's topics, groups and connector
 * @param hostMetrics whether this machine's metrics are published
 * @param ownMetrics whether the parts' metrics are published
 * @param notes messages to the user about these choices
 */
public record Plan(
    KafkaSettings kafka,
    boolean startsKafka,
    PostgresUrl postgres,
    boolean startsPostgres,
    PostgresUsers postgresUsers,
    Path apiToken,
    Map<String, Integer> ports,
    Path sources,
    Path policies,
    TopicNames names,
    boolean hostMetrics,
    boolean ownMetrics,
    List<String> notes) {
  public static final String KAFKA = "kafka";
  public static final String POSTGRES = "postgres";
  public static final String TOPOLOGY = "topology";
  public static final String CONNECT = "connect";
  public static final String CONNECT_METRICS = "connect-metrics"; // a port of the part connect
  public static final String KAFKA_METRICS = "kafka-metrics"; // a port of the part kafka
  public static final String API = "api";

  /** Superuser of a started server. */
  public static final String SUPERUSER = "rondo";

  /** Roles on a started server. */
  public static final String SINK_USER = "rondo_sink";

  public static final String API_USER = "rondo_api";
  public static final String FILL_USER = "rondo_fill";

  public static final String PRUNE_USER = "rondo_prune";

  /** All users of a started server. */
  public static final List<String> USERS =
      List.of(SUPERUSER, SINK_USER, API_USER, FILL_USER, PRUNE_USER);

  public String apiUrl() {
    return url(API);
  }

  /** The query API's metrics, for Prometheus. */
  public String apiMetricsUrl() {
    return url(API) + "/prometheus";
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

  /** The topology's metrics, for Prometheus. */
  public String topologyMetricsUrl() {
    return url(TOPOLOGY) + "/metrics";
  }

  /** URLs of metrics for Prometheus, by part; an external broker is not scraped. */
  public Map<String, String> metrics() {
    var urls = new LinkedHashMap<String, String>();
    urls.put("topology", topologyMetricsUrl());
    urls.put("connect", connectMetricsUrl());
    urls.put("api", apiMetricsUrl());
    urls.put("postgres", apiUrl() + "/prometheus/postgres");
    if (startsKafka) {
      urls.put("broker", url(KAFKA_METRICS) + "/metrics");
    }
    return urls;
  }

  /** The database with the sink's role, which may write. */
  public PostgresUrl sinkPostgres() {
    return postgres.as(postgresUsers.sink());
  }

  /** The database with the query API's role, which may read. */
  public PostgresUrl apiPostgres() {
    return postgres.as(postgresUsers.api());
  }

  /** The database with the role that fills new archives. */
  public PostgresUrl fillPostgres() {
    return postgres.as(postgresUsers.fill());
  }

  public int port(String part) {
    return ports.get(part);
  }

  private String url(String part) {
    return "http://127.0.0.1:" + port(part);
  }
}
