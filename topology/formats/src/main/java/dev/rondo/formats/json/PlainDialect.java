package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Rondo's plain dialect: one point per object; {@code tags} are optional.
 *
 * <pre>
 *   {"name":"shop.orders","tags":{"dc":"ams"},"time":1455320690,"value":42}
 * </pre>
 */
final class PlainDialect implements Dialect {
  private final TimeUnit timeUnit;

  PlainDialect(TimeUnit timeUnit) {
    this.timeUnit = timeUnit;
  }

  @Override
  public String key() {
    return "plain";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("name", "time", "value"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    String name = Members.text(element, "name");
    long tMs = Numbers.timeMs(element, "time", timeUnit);
    Members.labels(element, "tags", sink.labels());
    sink.field(name, "value", tMs, element, Members.of(element, "value"));
  }
}
