package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Telegraf's {@code data_format = "json"}: one metric per object, each field a series {@code
 * name.field;tags…}.
 *
 * <pre>
 *   {"fields":{"usage_idle":98.09},"name":"cpu","tags":{"host":"tars"},"timestamp":1455320660}
 * </pre>
 */
final class TelegrafDialect implements Dialect {
  private final TimeUnit timeUnit;

  /** Times are in the unit of {@code json_timestamp_units}. */
  TelegrafDialect(TimeUnit timeUnit) {
    this.timeUnit = timeUnit;
  }

  @Override
  public String key() {
    return "telegraf";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("fields", "name"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    String name = Members.text(element, "name");
    long tMs = Numbers.timeMs(element, "timestamp", timeUnit);
    Members.labels(element, "tags", sink.labels());
    int fields = Members.object(element, "fields");
    for (int at = element.first(fields); at < element.end(fields); at = element.next(at)) {
      sink.field(name, element.key(at), tMs, element, at);
    }
  }
}
