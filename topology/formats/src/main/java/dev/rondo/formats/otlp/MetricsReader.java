package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint.ValueAtQuantile;
import java.util.List;

/**
 * Emits the points of a message's metrics, in order. A data point of a gauge or sum is one series
 * under the metric's name. A summary is {@code count}, {@code sum} and, under the name alone, one
 * series per label {@code quantile}. Histograms: {@link HistogramReader}.
 */
final class MetricsReader {
  private final PointWriter points;
  private final HistogramReader histograms;

  MetricsReader(PointWriter points) {
    this.points = points;
    this.histograms = new HistogramReader(points);
  }

  /** Emits all points; returns whether there was a point or a drop. */
  boolean read(MetricsData data, Piece piece) {
    points.beginPiece(piece);
    for (ResourceMetrics resource : data.getResourceMetricsList()) {
      points.beginResource(resource.getResource().getAttributesList());
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        points.beginScope(scope.getScope());
        scope.getMetricsList().forEach(this::metric);
      }
    }
    return points.hasEmitted();
  }

  private void metric(Metric metric) {
    points.beginMetric(metric.getName(), isDelta(metric));
    switch (metric.getDataCase()) {
      case GAUGE -> numbers(metric.getGauge().getDataPointsList());
      case SUM -> numbers(metric.getSum().getDataPointsList());
      case HISTOGRAM -> histograms(metric.getHistogram().getDataPointsList());
      case EXPONENTIAL_HISTOGRAM ->
          exponentialHistograms(metric.getExponentialHistogram().getDataPointsList());
      case SUMMARY -> summaries(metric.getSummary().getDataPointsList());
      case DATA_NOT_SET -> points.drop(DropReason.UNSUPPORTED, "no data of a known kind");
    }
  }

  private static boolean isDelta(Metric metric) {
    AggregationTemporality temporality =
        switch (metric.getDataCase()) {
          case SUM -> metric.getSum().getAggregationTemporality();
          case HISTOGRAM -> metric.getHistogram().getAggregationTemporality();
          case EXPONENTIAL_HISTOGRAM ->
              metric.getExponentialHistogram().getAggregationTemporality();
          case GAUGE, SUMMARY, DATA_NOT_SET ->
              AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
        };
    return temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  }

  private void numbers(List<NumberDataPoint> dataPoints) {
    for (NumberDataPoint data : dataPoints) {
      if (points.beginDataPoint(
          data.getAttributesList(), data.getTimeUnixNano(), data.getFlags())) {
        switch (data.getValueCase()) {
          case AS_DOUBLE -> points.value(data.getAsDouble());
          case AS_INT -> points.value((double) data.getAsInt());
          case VALUE_NOT_SET ->
              points.drop(DropReason.UNREADABLE, "neither as_int nor as_double in a data point");
        }
      }
    }
  }

  private void histograms(List<HistogramDataPoint> dataPoints) {
    for (HistogramDataPoint data : dataPoints) {
      if (points.beginDataPoint(
          data.getAttributesList(), data.getTimeUnixNano(), data.getFlags())) {
        histograms.read(data);
      }
    }
  }

  private void exponentialHistograms(List<ExponentialHistogramDataPoint> dataPoints) {
    for (ExponentialHistogramDataPoint data : dataPoints) {
      if (points.beginDataPoint(
          data.getAttributesList(), data.getTimeUnixNano(), data.getFlags())) {
        histograms.read(data);
      }
    }
  }

  private void summaries(List<SummaryDataPoint> dataPoints) {
    for (SummaryDataPoint data : dataPoints) {
      if (points.beginDataPoint(
          data.getAttributesList(), data.getTimeUnixNano(), data.getFlags())) {
        points.value("count", Unsigned.toDouble(data.getCount()));
        points.value("sum", data.getSum());
        for (ValueAtQuantile quantile : data.getQuantileValuesList()) {
          points.value("", "quantile", NumberLabel.of(quantile.getQuantile()), quantile.getValue());
        }
      }
    }
  }
}
