package dev.rondo.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a part of Rondo said of itself at one instant. Names are those of its metrics, without
 * {@code rondo_} and {@code _total}; values of labels are nodes that follow, in the order of the
 * labels' names.
 *
 * <pre>
 * rondo_decode_points_total                              decode_points
 * rondo_consolidate_series{policy="web",task="1_0"}      consolidate_series.web.1_0
 * rondo_lag_seconds_bucket{source="a.b",stage="sent"}    lag_seconds.a_b.sent.p99
 * </pre>
 *
 * @param takenNanos when, on the monotonic clock, nanoseconds
 * @param gauges values that mean something by themselves
 * @param counters totals that only ever grow
 * @param histograms distributions since the part began
 */
record PartReading(
    long takenNanos,
    Map<String, Double> gauges,
    Map<String, Double> counters,
    Map<String, Buckets> histograms) {
  private static final String BUCKET = "_bucket";
  private static final String BOUND = "le";

  /** Where something is now, and why it fails: they change, and would make a series each time. */
  private static final Set<String> CHANGING = Set.of("partition", "error");

  private static final Map<String, Double> QUANTILES = Map.of("p50", 0.5, "p99", 0.99);

  static PartReading of(long takenNanos, List<Sample> samples) {
    var reading =
        new PartReading(
            takenNanos, new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    samples.forEach(reading::add);
    return reading;
  }

  /** Whether a metric is published: Rondo's own ones, and Connect's about the sink. */
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
    if (metric.endsWith(BUCKET) && bound != null) {
      histograms
          .computeIfAbsent(name(without(metric, BUCKET), labels), name -> new Buckets())
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

  /** Gauges: values that need only one reading. */
  Map<String, Double> values() {
    return new LinkedHashMap<>(gauges);
  }

  /**
   * Values by name: the gauges, counters per second, and the quantiles of histograms, both since
   * {@code earlier}. A counter that is new, or went back because the part was started again, has
   * counted from 0. A histogram to which nothing was added has no quantiles.
   */
  Map<String, Double> valuesSince(PartReading earlier) {
    Map<String, Double> values = values();
    double seconds = (takenNanos - earlier.takenNanos) / 1e9;
    if (seconds <= 0) {
      return values;
    }
    counters.forEach(
        (name, total) -> {
          double before = earlier.counters.getOrDefault(name, 0.0);
          values.put(name, (total >= before ? total - before : total) / seconds);
        });
    histograms.forEach(
        (name, buckets) -> {
          Buckets since = buckets.since(earlier.histograms.getOrDefault(name, new Buckets()));
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
