package dev.rondo.topology.format.graphite;

import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.DroppedException;
import dev.rondo.topology.format.Excerpt;
import dev.rondo.topology.format.PointSink;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Graphite plaintext: {@code path[;tag=v…] value time}, one point a line, lines ended by {@code \n}
 * or {@code \r\n}, the last one may lack it. Time is epoch seconds, a fraction is kept to the
 * millisecond; {@code -1} or {@code N} is when the record was written. Empty lines are nothing.
 */
public final class GraphiteDecoder implements Decoder {
  private static final int FIELDS = 3;

  private final int identMaxBytes;
  private final int identMaxTags;

  /**
   * Idents beyond a limit are dropped.
   *
   * @param identMaxBytes longest ident, UTF-8
   * @param identMaxTags most tags of an ident
   */
  public GraphiteDecoder(int identMaxBytes, int identMaxTags) {
    this.identMaxBytes = identMaxBytes;
    this.identMaxTags = identMaxTags;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    int[] bounds = new int[2 * FIELDS];
    int from = 0;
    while (from < value.length) {
      int to = from;
      while (to < value.length && value[to] != '\n') {
        to++;
      }
      line(value, from, to, bounds, nowMs, sink);
      from = to + 1;
    }
  }

  private void line(byte[] bytes, int from, int to, int[] bounds, long nowMs, PointSink sink) {
    int fields = split(bytes, from, to, bounds);
    if (fields == 0) {
      return;
    }
    if (fields != FIELDS) {
      String count = fields > FIELDS ? "more than " + FIELDS : Integer.toString(fields);
      String line = Excerpt.of(bytes, from, to);
      sink.drop(
          DropReason.UNREADABLE,
          "fields: " + count + ", not path value time: '" + line + "'",
          from,
          to);
      return;
    }
    int nameBytes = bounds[1] - bounds[0];
    if (nameBytes > identMaxBytes) {
      sink.drop(
          DropReason.NAME_TOO_LONG,
          "name of %d bytes, more than %d (ident.max.bytes): '%s'"
              .formatted(nameBytes, identMaxBytes, Excerpt.of(bytes, bounds[0], bounds[1])),
          from,
          to);
      return;
    }
    int tags = tags(bytes, bounds[0], bounds[1]);
    if (tags > identMaxTags) {
      sink.drop(
          DropReason.TOO_MANY_TAGS,
          "%d tags, more than %d (ident.max.tags): '%s'"
              .formatted(tags, identMaxTags, Excerpt.of(bytes, bounds[0], bounds[1])),
          from,
          to);
      return;
    }
    try {
      String ident = GraphiteIdent.canonical(text(bytes, bounds[0], bounds[1]));
      double value = number(text(bytes, bounds[2], bounds[3]), "value");
      long tMs = time(text(bytes, bounds[4], bounds[5]), nowMs);
      sink.point(ident, tMs, value, from, to);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), from, to);
    }
  }

  private static int tags(byte[] bytes, int from, int to) {
    int tags = 0;
    for (int at = from; at < to; at++) {
      tags += bytes[at] == ';' ? 1 : 0;
    }
    return tags;
  }

  /** Bounds of the fields between white space; counts up to one field more than a line has. */
  private static int split(byte[] bytes, int from, int to, int[] bounds) {
    int fields = 0;
    int at = from;
    while (true) {
      while (at < to && isSpace(bytes[at])) {
        at++;
      }
      if (at == to) {
        return fields;
      }
      if (fields == FIELDS) {
        return FIELDS + 1;
      }
      bounds[2 * fields] = at;
      while (at < to && !isSpace(bytes[at])) {
        at++;
      }
      bounds[2 * fields + 1] = at;
      fields++;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private static String text(byte[] bytes, int from, int to) throws DroppedException {
    boolean ascii = true;
    for (int at = from; at < to; at++) {
      if ((bytes[at] >= 0 && bytes[at] < ' ') || bytes[at] == 0x7f) {
        throw DroppedException.unreadable(
            "control character 0x%02x in '%s'".formatted(bytes[at], Excerpt.of(bytes, from, to)));
      }
      ascii &= bytes[at] > 0;
    }
    if (ascii) {
      return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw DroppedException.unreadable("not UTF-8: '" + Excerpt.of(bytes, from, to) + "'");
    }
  }

  private static double number(String text, String what) throws DroppedException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan", "-nan", "+nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> finite(text, what);
    };
  }

  private static double finite(String text, String what) throws DroppedException {
    // Double.parseDouble also takes 1d, 1f and 0x1p3, which no sender means as a number
    char end = text.charAt(text.length() - 1);
    if ((Character.isDigit(end) || end == '.') && text.indexOf('x') < 0 && text.indexOf('X') < 0) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        // told below
      }
    }
    throw DroppedException.unreadable(what + " '" + Excerpt.of(text) + "' is not a number");
  }

  private static long time(String text, long nowMs) throws DroppedException {
    if (text.equals("N") || text.equals("-1")) {
      return nowMs;
    }
    double seconds = finite(text, "time");
    if (!(seconds > 0)) {
      throw DroppedException.unreadable("time " + Excerpt.of(text) + " is not after 1970");
    }
    return Math.round(seconds * 1000);
  }
}
