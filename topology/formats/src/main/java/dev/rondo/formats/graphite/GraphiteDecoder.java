package dev.rondo.formats.graphite;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.EpochTime;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.NumberText;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.Utf8;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Decodes Graphite plaintext: {@code path[;tag=v…] value time}, one point per line, lines ended by
 * {@code \n} or {@code \r\n}, optional for the last. The path is the measurement, its tags are the
 * labels. Times keep fractions down to the millisecond; {@code -1} or {@code N} is the time at
 * which the record was written. Empty lines are ignored.
 */
public final class GraphiteDecoder implements Decoder {
  private final Naming naming;
  private final EpochTime time;
  private final GraphiteLine line = new GraphiteLine();
  private final Labels labels = new Labels();

  /** Range of the tags, in the record, that the labels were read from. */
  private int labelsFrom;

  private int labelsTo;

  /** Times are in {@code timeUnit} since 1970. */
  public GraphiteDecoder(Naming naming, TimeUnit timeUnit) {
    this.naming = naming;
    this.time = new EpochTime(timeUnit);
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    clearTags();
    int from = 0;
    while (from < value.length) {
      int next = line.read(value, from);
      if (!line.isEmpty()) {
        point(value, nowMs, sink);
      }
      from = next;
    }
  }

  private void point(byte[] bytes, long nowMs, PointSink sink) {
    try {
      line.check(bytes);
      String ident = ident(bytes);
      double value = NumberText.value(bytes, line.valueFrom(), line.valueTo());
      sink.point(ident, timeMs(bytes, nowMs), value, line.from(), line.to());
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), line.from(), line.to());
    }
  }

  private String ident(byte[] bytes) throws DroppedException {
    readTags(bytes);
    return naming.ident(Utf8.text(bytes, line.nameFrom(), line.nameTo()), "", labels);
  }

  /**
   * Reads the tags once for consecutive lines with equal tags, such as the fields of one
   * measurement.
   */
  private void readTags(byte[] bytes) throws DroppedException {
    if (!line.hasTags()) {
      clearTags();
      return;
    }
    int from = line.nameTo();
    int to = line.tagsTo();
    if (Arrays.equals(bytes, from, to, bytes, labelsFrom, labelsTo)) {
      return;
    }
    clearTags();
    GraphiteTags.read(bytes, from + 1, to, labels);
    labelsFrom = from;
    labelsTo = to;
  }

  private void clearTags() {
    labels.clear();
    labelsFrom = 0;
    labelsTo = 0;
  }

  private long timeMs(byte[] bytes, long nowMs) throws DroppedException {
    if (line.isNow(bytes)) {
      return nowMs;
    }
    double number = NumberText.decimal(bytes, line.timeFrom(), line.timeTo());
    if (Double.isNaN(number)) {
      throw DroppedException.unreadable("time '%s' is not a number".formatted(time(bytes)));
    }
    if (number <= 0) {
      throw DroppedException.unreadable("time %s is not after 1970".formatted(time(bytes)));
    }
    return time.ms(number);
  }

  private String time(byte[] bytes) {
    return Excerpt.of(bytes, line.timeFrom(), line.timeTo());
  }
}
