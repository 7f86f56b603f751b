package dev.rondo.formats.json;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.List;
import java.util.Set;

/**
 * OpenTSDB: the input of its Kafka plugin, and the body of its {@code /api/put}, which has no
 * {@code type}. Times are seconds if they fit 32 bits, otherwise ms, as in OpenTSDB.
 *
 * <pre>
 *   {"type":"Metric","metric":"sys.cpu.user","tags":{"host":"web01"},"timestamp":1492641000,"value":42}
 * </pre>
 */
final class OpenTsdbDialect implements Dialect {
  private static final double SECONDS_END = 1L << 32;

  @Override
  public String key() {
    return "opentsdb";
  }

  @Override
  public List<Set<String>> signatures() {
    return List.of(Set.of("metric", "timestamp"), Set.of("type", "startTime"));
  }

  @Override
  public void read(Tape element, ElementSink sink) throws DroppedException {
    String type = Members.textOrNone(element, "type");
    if (!type.isEmpty() && !type.equals("Metric")) {
      throw new DroppedException(
          DropReason.UNSUPPORTED, "type '" + Excerpt.of(type) + "', not Metric");
    }
    String metric = Members.text(element, "metric");
    double time = Numbers.of(element, Members.of(element, "timestamp"), "timestamp");
    long tMs = Numbers.after1970(Math.round(time < SECONDS_END ? time * 1000 : time));
    double value = Numbers.of(element, Members.of(element, "value"), "value");
    Members.labels(element, "tags", sink.labels());
    sink.point(metric, "", tMs, value);
  }
}
