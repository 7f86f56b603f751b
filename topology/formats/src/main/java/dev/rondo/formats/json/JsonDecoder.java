package dev.rondo.formats.json;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Points as JSON, in the dialects of Telegraf, collectd, prometheus-kafka-adapter, OpenTSDB,
 * VictoriaMetrics, Vector, and Rondo's own plain one. A record holds any number of values one after
 * another, each an object, an array of them or a batch of Telegraf's; a point's bytes are its
 * object. Where the JSON is broken, what came before counts, and the rest is unreadable.
 */
public final class JsonDecoder implements Decoder {
  private static final Dialects ALL = new Dialects(TimeUnit.SECONDS, Optional.empty());

  private final Dialects dialects;
  private final ElementSink found;
  private final Tape element = new Tape();

  /**
   * Reads one dialect, or all.
   *
   * @param timeUnit of Telegraf's and plain times; the other dialects' have their own
   * @param dialect one of {@link #dialects()}; empty = found out object by object, from its keys
   */
  public JsonDecoder(Naming naming, TimeUnit timeUnit, Optional<String> dialect) {
    this.dialects = new Dialects(timeUnit, dialect);
    this.found = new ElementSink(naming);
  }

  /** Names of the dialects. */
  public static List<String> dialects() {
    return ALL.keys();
  }

  /** Whether a record looks like this format: it begins with an object of one of the dialects. */
  public static boolean recognises(byte[] value) {
    try (Elements elements = new Elements(value)) {
      Tape first = new Tape();
      return elements.next(first) && ALL.claim(first);
    }
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    try (Elements elements = new Elements(value)) {
      while (elements.next(element)) {
        read(found.at(sink, nowMs, elements.from(), elements.to()));
      }
      if (!elements.fault().isEmpty()) {
        int from = elements.from();
        String detail =
            "%s: '%s'".formatted(elements.fault(), Excerpt.of(value, from, value.length));
        sink.drop(DropReason.UNREADABLE, detail, from, value.length);
      }
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
