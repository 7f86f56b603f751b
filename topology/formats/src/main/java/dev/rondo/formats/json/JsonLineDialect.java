package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * VictoriaMetrics' JSON lines, as written by vmagent and {@code /api/v1/export}: one series per
 * object, with many values and their times in ms. {@code null} is a missing value; infinities are
 * text.
 *
 * <pre>
 *   {"metric":{"__name__":"up","job":"node"},"values":[1,null],"timestamps":[1549891461511,1549891476511]}
 * </pre>
 */
final class JsonLineDialect implements Dialect {
  @Override
  public String key() {
    return "jsonline";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("metric", "values", "timestamps"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    Members.object(element, "metric");
    Labels labels = sink.labels();
    Members.labels(element, "metric", labels);
    String name = labels.remove("__name__");
    if (name == null) {
      throw DroppedException.unreadable("no '__name__' in 'metric'");
    }
    int values = Members.array(element, "values");
    int times = Members.array(element, "timestamps");
    if (element.length(values) != element.length(times)) {
      throw DroppedException.unreadable(
          "%d values, but %d timestamps".formatted(element.length(values), element.length(times)));
    }
    try {
      points(element, values, times, sink.ident(name), sink);
    } catch (DroppedException e) {
      for (int n = element.length(values); n > 0; n--) {
        sink.drop(e.reason(), e.getMessage());
      }
    }
  }

  private static void points(Tape element, int values, int times, String ident, ElementSink sink) {
    int time = element.first(times);
    for (int at = element.first(values); at < element.end(values); at = element.next(at)) {
      point(element, at, time, ident, sink);
      time = element.next(time);
    }
  }

  private static void point(Tape element, int at, int time, String ident, ElementSink sink) {
    if (element.token(at) == JsonToken.VALUE_NULL) {
      sink.drop(DropReason.NO_VALUE, "value of '" + Excerpt.of(ident) + "' is null");
      return;
    }
    try {
      double value = Numbers.of(element, at, "values");
      sink.point(ident, Numbers.timeMs(element, time, "timestamps", TimeUnit.MILLISECONDS), value);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage());
    }
  }
}
