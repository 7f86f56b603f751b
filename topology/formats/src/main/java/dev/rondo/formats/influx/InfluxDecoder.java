package dev.rondo.formats.influx;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.EpochTime;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.NumberText;
import dev.rondo.formats.PointSink;
import java.util.concurrent.TimeUnit;

/**
 * Decodes Influx line protocol: {@code measurement[,tag=v…] field=v[,field=v…] [time]}, many lines
 * per record. Each number or boolean (1 or 0) field is a point; text is dropped. A line without a
 * time gets the time at which the record was written. An unreadable line or value is dropped alone.
 *
 * <p>Source: the line protocol reference of InfluxDB 2, and Telegraf's parser where it is
 * ambiguous.
 */
public final class InfluxDecoder implements Decoder {
  private final Naming naming;
  private final EpochTime time;
  private final InfluxLine line = new InfluxLine();
  private final Labels labels = new Labels();

  /** Times are in {@code timeUnit} since 1970. */
  public InfluxDecoder(Naming naming, TimeUnit timeUnit) {
    this.naming = naming;
    this.time = new EpochTime(timeUnit);
  }

  /** Whether the first line is in this format, with a readable value. */
  public static boolean recognises(byte[] value) {
    InfluxLine line = new InfluxLine();
    try {
      line.read(value, InfluxLine.begin(value, 0));
    } catch (DroppedException e) {
      return false;
    }
    int from = line.fields().valueFrom(0);
    int to = line.fields().valueTo(0);
    return (InfluxValue.isText(value, from, to) || !Double.isNaN(InfluxValue.of(value, from, to)))
        && (!line.hasTime() || NumberText.isInteger(value, line.timeFrom(), line.to()));
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    int at = InfluxLine.begin(value, 0);
    while (at < value.length) {
      line(value, at, nowMs, sink);
      at = InfluxLine.begin(value, line.to());
    }
  }

  private void line(byte[] bytes, int begin, long nowMs, PointSink sink) {
    try {
      line.read(bytes, begin);
      String measurement = InfluxText.of(bytes, line.from(), line.measurementTo());
      readTags(bytes);
      long tMs = line.hasTime() ? timeMs(bytes) : nowMs;
      for (int n = 0; n < line.fields().size(); n++) {
        field(bytes, n, measurement, tMs, sink);
      }
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), line.from(), line.to());
    }
  }

  private void readTags(byte[] bytes) throws DroppedException {
    Pairs tags = line.tags();
    labels.clear();
    for (int n = 0; n < tags.size(); n++) {
      labels.put(
          InfluxText.of(bytes, tags.keyFrom(n), tags.keyTo(n)),
          InfluxText.of(bytes, tags.valueFrom(n), tags.valueTo(n)));
    }
  }

  private long timeMs(byte[] bytes) throws DroppedException {
    try {
      return time.ms(NumberText.integer(bytes, line.timeFrom(), line.to()));
    } catch (ArithmeticException e) {
      throw DroppedException.unreadable(
          "time '%s' is not a 64-bit integer"
              .formatted(Excerpt.of(bytes, line.timeFrom(), line.to())));
    }
  }

  private void field(byte[] bytes, int n, String measurement, long tMs, PointSink sink) {
    Pairs fields = line.fields();
    int from = fields.valueFrom(n);
    int to = fields.valueTo(n);
    try {
      String key = InfluxText.of(bytes, fields.keyFrom(n), fields.keyTo(n));
      if (InfluxValue.isText(bytes, from, to)) {
        sink.drop(
            DropReason.TEXT_VALUE,
            Excerpt.of(measurement) + "." + Excerpt.of(key),
            line.from(),
            line.to());
        return;
      }
      double value = InfluxValue.of(bytes, from, to);
      if (Double.isNaN(value)) {
        throw DroppedException.unreadable(
            "value '%s' of field '%s' is not a number or boolean"
                .formatted(Excerpt.of(bytes, from, to), Excerpt.of(key)));
      }
      sink.point(naming.ident(measurement, key, labels), tMs, value, line.from(), line.to());
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), line.from(), line.to());
    }
  }
}
