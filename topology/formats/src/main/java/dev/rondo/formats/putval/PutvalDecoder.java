package dev.rondo.formats.putval;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.EpochTime;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.NumberText;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.collectd.CollectdName;
import java.util.concurrent.TimeUnit;

/**
 * Decodes PUTVAL lines, collectd's format {@code Command}: {@code PUTVAL
 * host/plugin-instance/type-instance interval=10.000 1455320690.000:98.09[:v2…]}. A series is named
 * as in collectd's Graphite format; data sources of a type that collectd does not have are numbered
 * from 0. Time {@code N} is the time at which the record was written; the values {@code U} and
 * {@code nan} are unknown. Options are ignored.
 */
public final class PutvalDecoder implements Decoder {
  private static final String COMMAND = "PUTVAL";

  private final Naming naming;
  private final EpochTime time;
  private final Labels parts = new Labels();

  /** Times are in {@code timeUnit} since 1970. */
  public PutvalDecoder(Naming naming, TimeUnit timeUnit) {
    this.naming = naming;
    this.time = new EpochTime(timeUnit);
  }

  /** Whether the first line has the command and a valid identifier. */
  public static boolean recognises(byte[] value) {
    try {
      PutvalWords words = new PutvalWords(value, 0, lineEnd(value, 0));
      if (!words.next()) {
        return false;
      }
      name(words);
      return words.next();
    } catch (DroppedException e) {
      return false;
    }
  }

  private static int lineEnd(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** Reads the command, at the current word, and the identifier. */
  private static CollectdName name(PutvalWords words) throws DroppedException {
    if (!words.text().equalsIgnoreCase(COMMAND) || !words.next()) {
      throw DroppedException.unreadable("not PUTVAL identifier [option=…] time:value[:value…]");
    }
    return PutvalIdentifier.parse(words.text());
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    int from = 0;
    while (from < value.length) {
      int to = lineEnd(value, from);
      read(new Line(value, from, to, nowMs, sink));
      from = to + 1;
    }
  }

  private void read(Line line) {
    try {
      PutvalWords words = new PutvalWords(line.bytes, line.from, line.to);
      if (!words.next()) {
        return;
      }
      CollectdName name = name(words);
      name.addTo(parts.clear());
      String path = name.path("");
      boolean hasValues = false;
      while (words.next()) {
        if (!words.contains('=')) {
          hasValues = true;
          values(line, words.from(), words.to(), name.type(), path);
        }
      }
      if (!hasValues) {
        line.drop(DroppedException.unreadable("no values: '" + line.excerpt() + "'"));
      }
    } catch (DroppedException e) {
      line.drop(e);
    }
  }

  /** {@code time:value[:value…]}. */
  private void values(Line line, int from, int to, String type, String path) {
    try {
      int colon = colon(line.bytes, from, to);
      if (colon == to) {
        throw DroppedException.unreadable(
            "no value after time '" + Excerpt.of(line.bytes, from, to) + "'");
      }
      long tMs = timeMs(line, from, colon);
      int count = count(line.bytes, colon, to);
      for (int n = 0; n < count; n++) {
        int valueFrom = colon + 1;
        colon = colon(line.bytes, valueFrom, to);
        String dsName = DataSources.name(type, n, count);
        value(line, valueFrom, colon, path, dsName, tMs);
      }
    } catch (DroppedException e) {
      line.drop(e);
    }
  }

  private static int colon(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != ':') {
      at++;
    }
    return at;
  }

  private static int count(byte[] bytes, int from, int to) {
    int count = 0;
    for (int at = from; at < to; at++) {
      count += bytes[at] == ':' ? 1 : 0;
    }
    return count;
  }

  private long timeMs(Line line, int from, int to) throws DroppedException {
    if (to == from + 1 && line.bytes[from] == 'N') {
      return line.nowMs;
    }
    double number = NumberText.decimal(line.bytes, from, to);
    if (!(number > 0)) {
      throw DroppedException.unreadable(
          "time '%s' is not a number after 1970".formatted(Excerpt.of(line.bytes, from, to)));
    }
    return time.ms(number);
  }

  private void value(Line line, int from, int to, String prefix, String dsName, long tMs) {
    try {
      boolean isUnknown = to == from + 1 && line.bytes[from] == 'U';
      double value = isUnknown ? Double.NaN : NumberText.value(line.bytes, from, to);
      String path = dsName.isEmpty() ? prefix : prefix + "." + dsName;
      if (Double.isNaN(value)) {
        throw new DroppedException(DropReason.NO_VALUE, Excerpt.of(path));
      }
      line.sink.point(
          naming.path(path, parts.put("dsname", dsName)), tMs, value, line.from, line.to);
    } catch (DroppedException e) {
      line.drop(e);
    }
  }

  /** A line and the sink of its points. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Line(byte[] bytes, int from, int to, long nowMs, PointSink sink) {

    void drop(DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), from, to);
    }

    String excerpt() {
      return Excerpt.of(bytes, from, to);
    }
  }
}
