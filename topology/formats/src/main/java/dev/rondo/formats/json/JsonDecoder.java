package dev.rondo.formats.json;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decodes JSON in the dialects of Telegraf, collectd, prometheus-kafka-adapter, OpenTSDB,
 * VictoriaMetrics and Vector, and Rondo's plain dialect. A record holds any number of values:
 * objects, arrays of objects or Telegraf batches; the bytes of a point are its object. After broken
 * JSON, the rest of the record is unreadable.
 */
public final class JsonDecoder implements Decoder {
  private static final Dialects ALL = new Dialects(TimeUnit.SECONDS, Optional.empty());

  private final Dialects dialects;
  private final ElementSink points;
  private final Tape element = new Tape();

  /**
   * @param timeUnit of the dialects telegraf and plain; the others have a fixed unit
   * @param dialect one of {@link #dialects()}; empty = detected for each object from its keys
   */
  public JsonDecoder(Naming naming, TimeUnit timeUnit, Optional<String> dialect) {
    this.dialects = new Dialects(timeUnit, dialect);
    this.points = new ElementSink(naming);
  }

  public static List<String> dialects() {
    return ALL.keys();
  }

  /** Whether a record begins with an object of one of the dialects. */
  public static boolean recognises(byte[] value) {
    try (Elements elements = new Elements(value)) {
      Tape first = new Tape();
      return elements.next(first) && ALL.match(first);
    }
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    try (Elements elements = new Elements(value)) {
      while (elements.next(element)) {
        read(points.at(sink, nowMs, elements.from(), elements.to()));
      }
      elements.dropFault(sink);
    }
  }

  private void read(ElementSink at) {
    try {
      dialects.read(element, at);
    } catch (DroppedException e) {
      at.drop(e.reason(), e.getMessage());
    }
  }
}
