package dev.rondo.client.kafka;

import dev.rondo.client.Metric;
import dev.rondo.client.RondoClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the metrics of a Kafka client or of Kafka Streams as gauges {@code
 * kafka.GROUP.NAME;tags}. Configured in the settings of the client:
 *
 * <pre>
 *   metric.reporters=org.apache.kafka.common.metrics.JmxReporter,dev.rondo.client.kafka.RondoMetricsReporter
 *   rondo.client.prefix=shop
 *   rondo.client.tags=host=web01
 * </pre>
 *
 * Kafka clients of a process with the same settings share one Rondo client, which stays open until
 * the process ends. Tags omit UUIDs, as in the id of a Streams client: each start would create new
 * series.
 */
public final class RondoMetricsReporter implements MetricsReporter {
  private static final Logger LOG = LoggerFactory.getLogger(RondoMetricsReporter.class);
  private static final String MATCH = "rondo.client.match";
  private static final Pattern UUID =
      Pattern.compile("-?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final Map<MetricName, Metric> published = new HashMap<>();
  private Pattern match;
  private RondoClient client;

  /**
   * Starts to publish.
   *
   * @param configs of the Kafka client: {@code rondo.client.*} as in {@link RondoClient}; {@code
   *     rondo.client.producer.*} for its producer, which otherwise connects like the Kafka client;
   *     {@code rondo.client.match}, a regular expression to find in {@code GROUP.NAME}
   */
  @Override
  public void configure(Map<String, ?> configs) {
    Object text = configs.get(MATCH);
    try {
      match = Pattern.compile(text == null ? "" : text.toString());
    } catch (PatternSyntaxException e) {
      throw new ConfigException(MATCH, text, e.getDescription());
    }
    Map<String, Object> settings = ReporterSettings.of(configs);
    settings.remove(MATCH);
    client = SharedClients.with(settings);
  }

  @Override
  public void init(List<KafkaMetric> metrics) {
    metrics.forEach(this::metricChange);
  }

  @Override
  public synchronized void metricChange(KafkaMetric metric) {
    metricRemoval(metric);
    MetricName name = metric.metricName();
    String text = name.group() + "." + name.name();
    if (client == null || !match.matcher(text).find()) {
      return;
    }
    try {
      var tags = new TreeMap<String, String>();
      name.tags().forEach((key, value) -> tags.put(key, withoutUuid(value)));
      published.put(name, client.libraryGauge(text, () -> number(metric), tags));
    } catch (IllegalArgumentException e) { // such as a second client with the same id
      LOG.debug("not published: {}", e.getMessage());
    }
  }

  /** Removes the part of {@code app-5f0c…-StreamThread-1} that differs at each start. */
  static String withoutUuid(String value) {
    return UUID.matcher(value).replaceAll("");
  }

  /** NaN for a value that is not a number, such as a version. */
  private static double number(KafkaMetric metric) {
    return metric.metricValue() instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  @Override
  public synchronized void metricRemoval(KafkaMetric metric) {
    Metric removed = published.remove(metric.metricName());
    if (removed != null) {
      client.remove(removed);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      published.values().forEach(client::remove);
      published.clear();
      client = null;
    }
  }
}
