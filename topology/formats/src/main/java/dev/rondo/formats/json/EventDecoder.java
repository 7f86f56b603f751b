package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decodes events: JSON objects of Graphite's API, one after the other or in an array, or lines of
 * text, one event each.
 *
 * <pre>
 *   {"what":"deploy","tags":["web","v2"],"when":1700000000,"data":"by alice"}
 *   deploy of web, v2
 * </pre>
 *
 * {@code tags} can also be text, separated by commas or white space, and {@code when} RFC 3339
 * text. Without {@code when}, the time is when the record was written. Other members are ignored.
 */
public final class EventDecoder implements Decoder {
  private static final String TAGS = "tags";
  private static final String WHEN = "when";

  /** The element itself. */
  private static final int WHOLE = 0;

  private final TimeUnit timeUnit;
  private final EventTags tags;
  private final Tape element = new Tape();

  /**
   * @param timeUnit of {@code when}
   * @param sourceTags tags added to every event
   */
  public EventDecoder(TimeUnit timeUnit, List<String> sourceTags) {
    this.timeUnit = timeUnit;
    this.tags = new EventTags(sourceTags);
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    if (isJson(value)) {
      objects(value, nowMs, sink);
    } else {
      lines(value, nowMs, sink);
    }
  }

  /** Whether the record begins as an object or an array. */
  private static boolean isJson(byte[] value) {
    int at = 0;
    while (at < value.length && value[at] >= 0 && value[at] <= ' ') {
      at++;
    }
    return at < value.length && (value[at] == '{' || value[at] == '[');
  }

  private void objects(byte[] value, long nowMs, PointSink sink) {
    try (Elements elements = new Elements(value)) {
      while (elements.next(element)) {
        int from = elements.from();
        int to = elements.to();
        try {
          String what = EventText.WHAT.of(element);
          String data = EventText.DATA.of(element);
          sink.event(whenMs(nowMs), what, tags.with(senderTags()), data, from, to);
        } catch (DroppedException e) {
          sink.drop(e.reason(), e.getMessage(), from, to);
        }
      }
      elements.dropFault(sink);
    }
  }

  private long whenMs(long nowMs) throws DroppedException {
    int at = element.member(WHOLE, WHEN);
    if (at < 0 || element.token(at) == JsonToken.VALUE_NULL) {
      return nowMs;
    }
    return element.isText(at)
        ? Numbers.rfc3339Ms(element, WHEN)
        : Numbers.timeMs(element, at, WHEN, timeUnit);
  }

  /** Returns the texts of the member; each can hold several tags. */
  private List<String> senderTags() throws DroppedException {
    int at = element.member(WHOLE, TAGS);
    if (at < 0 || element.token(at) == JsonToken.VALUE_NULL) {
      return List.of();
    }
    if (element.isText(at)) {
      return List.of(element.text(at));
    }
    int array = Members.array(element, TAGS);
    List<String> texts = new ArrayList<>();
    for (int n = element.first(array); n < element.end(array); n = element.next(n)) {
      if (!element.isText(n)) {
        throw DroppedException.unreadable("'tags' has an item that is not text");
      }
      texts.add(element.text(n));
    }
    return texts;
  }

  private void lines(byte[] value, long nowMs, PointSink sink) {
    int from = 0;
    while (from < value.length) {
      int to = from;
      while (to < value.length && value[to] != '\n') {
        to++;
      }
      line(value, from, to, nowMs, sink);
      from = to + 1;
    }
  }

  private void line(byte[] value, int from, int to, long nowMs, PointSink sink) {
    try {
      String text = Utf8.text(value, from, to).strip();
      if (!text.isEmpty()) {
        String what = EventText.WHAT.checked(text);
        sink.event(nowMs, what, tags.with(List.of()), "", from, to);
      }
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), from, to);
    }
  }
}
