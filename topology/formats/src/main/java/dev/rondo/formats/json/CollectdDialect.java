package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.collectd.CollectdName;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * collectd's write_kafka and write_http with {@code Format JSON}: one value list per object, each
 * data source a series. The path is that of collectd's Graphite format, so that a topic can switch
 * between the formats. {@code null} is an unknown gauge.
 *
 * <pre>
 *   {"values":[0.5,null],"dsnames":["shortterm","midterm"],"dstypes":["gauge","gauge"],
 *    "time":1455320690.123,"interval":10.000,"host":"web01","plugin":"load","plugin_instance":"",
 *    "type":"load","type_instance":""}
 * </pre>
 */
final class CollectdDialect implements Dialect {
  /** collectd's own types have at most a dozen. */
  private static final int MAX_VALUES = 1000;

  @Override
  public String key() {
    return "collectd";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("values", "dsnames", "plugin"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    var list =
        new CollectdName(
            Members.text(element, "host"),
            Members.text(element, "plugin"),
            Members.textOrNone(element, "plugin_instance"),
            Members.text(element, "type"),
            Members.textOrNone(element, "type_instance"));
    long tMs = Numbers.timeMs(element, "time", TimeUnit.SECONDS);
    int values = Members.array(element, "values");
    int names = Members.array(element, "dsnames");
    int count = element.length(values);
    if (count > MAX_VALUES) {
      throw DroppedException.unreadable("%d values, more than %d".formatted(count, MAX_VALUES));
    }
    if (element.length(names) != count) {
      throw DroppedException.unreadable(
          "%d values, but %d dsnames".formatted(count, element.length(names)));
    }
    Labels labels = list.addTo(sink.labels());
    int name = element.first(names);
    for (int at = element.first(values); at < element.end(values); at = element.next(at)) {
      String dsName = count > 1 && element.isText(name) ? element.text(name) : "";
      if (count > 1 && dsName.isEmpty()) {
        sink.drop(DropReason.UNREADABLE, "'dsnames' has an item that is not text");
      } else {
        labels.put("dsname", dsName);
        point(element, at, list.path(dsName), tMs, sink);
      }
      name = element.next(name);
    }
  }

  private static void point(Tape element, int at, String path, long tMs, ElementSink sink) {
    if (element.isNumber(at)) {
      sink.pointOfPath(path, tMs, element.number(at));
    } else if (element.token(at) == JsonToken.VALUE_NULL) {
      sink.drop(DropReason.NO_VALUE, "value of '" + Excerpt.of(path) + "' is null");
    } else {
      sink.drop(DropReason.UNREADABLE, "value of '" + Excerpt.of(path) + "' is not a number");
    }
  }
}
