package dev.rondo.local.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What one start is to bring up.
 *
 * @param kafka host:port, ours or another's
 * @param ownKafka whether a broker of ours is started
 * @param postgres the database, ours or another's
 * @param ownPostgres whether a server of ours is started
 * @param ports of our own servers, by part
 * @param sources file for the topology; null: its built-in one
 * @param policies file for the topology; null: its built-in ones
 * @param hostMetrics whether this machine's metrics are published
 * @param notes what the user should know about the choices
 */
public record Plan(
    String kafka,
    boolean ownKafka,
    PostgresUrl postgres,
    boolean ownPostgres,
    Map<String, Integer> ports,
    Path sources,
    Path policies,
    boolean hostMetrics,
    List<String> notes) {
  public static final String KAFKA = "kafka";
  public static final String POSTGRES = "postgres";
  public static final String TOPOLOGY = "topology";
  public static final String CONNECT = "connect";
  public static final String CONNECT_METRICS = "connect-metrics"; // a port of the part connect
  public static final String API = "api";

  /** Users of a server of ours. */
  public static final String SINK_USER = "rondo_sink";

  public static final String API_USER = "rondo_api";

  public String apiUrl() {
    return url(API);
  }

  public String connectUrl() {
    return url(CONNECT);
  }

  /** Where Prometheus reads the worker and the sink. */
  public String connectMetricsUrl() {
    return url(CONNECT_METRICS) + "/metrics";
  }

  public String topologyUrl() {
    return url(TOPOLOGY);
  }

  /** The database as the sink sees it; it may write to it. */
  public PostgresUrl sinkPostgres() {
    return ownPostgres ? postgres.as(SINK_USER) : postgres;
  }

  /** The database as the query API sees it; it may read it. */
  public PostgresUrl apiPostgres() {
    return ownPostgres ? postgres.as(API_USER) : postgres;
  }

  public int port(String part) {
    return ports.get(part);
  }

  private String url(String part) {
    return "http://127.0.0.1:" + port(part);
  }
}
