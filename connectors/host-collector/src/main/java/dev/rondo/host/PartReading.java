package dev.rondo.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Metrics of a part of Rondo at one instant. Names are those of its metrics, without {@code rondo_}
 * and {@code _total}, followed by the values of labels as nodes, in the order of the labels' names.
 *
 * <pre>
 * rondo_decode_points_total                              decode_points
 * rondo_consolidate_series{policy="web",task="1_0"}      consolidate_series.web.1_0
 * rondo_lag_seconds_bucket{source="a.b",stage="sent"}    lag_seconds.a_b.sent.p99
 * </pre>
 *
 * @param takenNanos time of the reading on the monotonic clock, ns
 * @param gauges values that need only one reading
 * @param counters increasing totals
 * @param histograms distributions since the start of the part
 */
record PartReading(
    long takenNanos,
    Map<String, Double> gauges,
    Map<String, Double> counters,
    Map<String, Buckets> histograms) {
  /** Ending of a histogram's buckets; {@code _le} where the JMX exporter exports it. */
  private static final Pattern BUCKET = Pattern.compile("_(bucket|le)$");

  private static final String BOUND = "le";

  /**
   * Labels for the current place of something and the cause of a failure: each change would create
   * a new series.
   */
  private static final Set<String> CHANGING = Set.of("partition", "error");

  private static final Map<String, Double> QUANTILES = Map.of("p50", 0.5, "p99", 0.99);

  static PartReading of(long takenNanos, List<Sample> samples) {
    var reading =
        new PartReading(
            takenNanos, new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    samples.forEach(reading::add);
    return reading;
  }

  /** Whether a metric is published: Rondo's own, and Connect's for the sink. */
  static boolean isWanted(String metric) {
    return (metric.startsWith("rondo_")
            || metric.startsWith("kafka_connect_")
            || metric.equals("kafka_consumer_records_lag_max"))
        && !metric.endsWith("_created");
  }

  private void add(Sample sample) {
    String metric = sample.metric().replaceFirst("^rondo_", "");
    var labels = new TreeMap<>(sample.labels());
    labels.keySet().removeAll(CHANGING);
    String bound = labels.remove(BOUND);
    if (bound != null && BUCKET.matcher(metric).find()) {
      histograms
          .computeIfAbsent(
              name(BUCKET.matcher(metric).replaceFirst(""), labels), name -> new Buckets())
          .add(Exposition.number(bound), sample.value());
    } else if (metric.endsWith("_total")) {
      counters.merge(name(without(metric, "_total"), labels), sample.value(), Double::sum);
    } else if (metric.endsWith("_count") || metric.endsWith("_sum")) {
      int last = metric.lastIndexOf('_');
      String name = name(metric.substring(0, last), labels) + "." + metric.substring(last + 1);
      counters.merge(name, sample.value(), Double::sum);
    } else {
      gauges.merge(name(metric, labels), sample.value(), Math::max);
    }
  }

  private static String without(String metric, String ending) {
    return metric.substring(0, metric.length() - ending.length());
  }

  private static String name(String metric, Map<String, String> labels) {
    var name = new StringBuilder(GraphiteLines.safeNode(metric));
    for (String value : labels.values()) {
      String node = GraphiteLines.safeNode(value.replaceFirst("^/", "")); // of a route
      name.append('.').append(node.isEmpty() ? "_" : node);
    }
    return name.toString();
  }

  /**
   * Returns values by name: the gauges, and counters per second and quantiles of histograms since
   * {@code previous}. A counter that is new, or decreased because the part was restarted, has
   * counted from 0. A histogram without new values has no quantiles.
   */
  Map<String, Double> valuesSince(PartReading previous) {
    Map<String, Double> values = new LinkedHashMap<>(gauges);
    double seconds = (takenNanos - previous.takenNanos) / 1e9;
    if (seconds <= 0) {
      return values;
    }
    counters.forEach(
        (name, total) -> {
          double last = previous.counters.getOrDefault(name, 0.0);
          values.put(name, (total >= last ? total - last : total) / seconds);
        });
    histograms.forEach(
        (name, buckets) -> {
          Buckets since = buckets.since(previous.histograms.getOrDefault(name, new Buckets()));
          QUANTILES.forEach(
              (node, share) -> {
                double quantile = since.quantile(share);
                if (!Double.isNaN(quantile)) {
                  values.put(name + "." + node, quantile);
                }
              });
        });
    return values;
  }
}
