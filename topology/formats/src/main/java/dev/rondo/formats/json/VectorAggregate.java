package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.mapping.ScalarText;

/**
 * Emits the points of a Vector histogram or summary, named as in Prometheus.
 *
 * <pre>
 *   {"buckets":[{"upper_limit":0.5,"count":2},{"upper_limit":1,"count":3}],"count":6,"sum":4.2}
 *
 *   name.count  6      name.bucket;le=0.5   2
 *   name.sum    4.2    name.bucket;le=1     5     Vector counts each bucket by itself
 *                      name.bucket;le=+Inf  6
 *
 *   {"quantiles":[{"quantile":0.5,"value":0.2}],"count":6,"sum":4.2}
 *
 *   name.count, name.sum, name;quantile=0.5
 * </pre>
 */
final class VectorAggregate {
  private final Tape element;
  private final int object;
  private final String name;
  private final long tMs;
  private final ElementSink sink;

  VectorAggregate(Tape element, int object, String name, long tMs, ElementSink sink) {
    this.element = element;
    this.object = object;
    this.name = name;
    this.tMs = tMs;
    this.sink = sink;
  }

  void histogram() throws DroppedException {
    int buckets = Members.array(element, object, "buckets");
    countAndSum();
    double upToLimit = 0;
    for (int at = element.first(buckets); at < element.end(buckets); at = element.next(at)) {
      upToLimit += Numbers.of(element, Members.of(element, at, "count"), "count");
      double limit = limit(Members.of(element, at, "upper_limit"));
      if (limit < Double.POSITIVE_INFINITY) {
        sink.labels().put("le", ScalarText.of(limit));
        sink.point(name, "bucket", tMs, upToLimit);
      }
    }
    sink.labels().put("le", "+Inf");
    sink.field(name, "bucket", tMs, element, Members.of(element, object, "count"));
  }

  /** Reads a bound; JSON has no infinity, so null or text stands for it. */
  private double limit(int at) throws DroppedException {
    return element.isNumber(at) || element.isText(at)
        ? Numbers.of(element, at, "upper_limit")
        : Double.POSITIVE_INFINITY;
  }

  void summary() throws DroppedException {
    int quantiles = Members.array(element, object, "quantiles");
    countAndSum();
    for (int at = element.first(quantiles); at < element.end(quantiles); at = element.next(at)) {
      double quantile = Numbers.of(element, Members.of(element, at, "quantile"), "quantile");
      sink.labels().put("quantile", ScalarText.of(quantile));
      sink.field(name, "", tMs, element, Members.of(element, at, "value"));
    }
  }

  private void countAndSum() throws DroppedException {
    int count = Members.of(element, object, "count");
    int sum = Members.of(element, object, "sum");
    sink.field(name, "count", tMs, element, count);
    sink.field(name, "sum", tMs, element, sum);
  }
}
