package dev.rondo.formats.influx;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;

/**
 * Offsets of the parts of one line in a record. Reused for each line.
 *
 * <pre>
 *   cpu,host=tars,dc=ams usage_idle=98.09,note="a b" 1455320660004257758
 *   measurement ^tags    ^fields                     ^time
 * </pre>
 *
 * <p>A line ends at the first newline outside quoted text. If a quote is not closed, or text
 * follows it directly, the line ends at its first newline, so that later lines are not lost.
 */
final class InfluxLine {
  private final Pairs tags = new Pairs();
  private final Pairs fields = new Pairs();
  private byte[] bytes;
  private int at;
  private int from;
  private int to;
  private int measurementTo;
  private int timeFrom;
  private boolean isQuoteBroken;

  /**
   * Returns the start of the next line after empty lines and comments; the end if there is none.
   */
  static int begin(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && (isSpace(bytes[at]) || bytes[at] == '#')) {
      at = bytes[at] == '#' ? newline(bytes, at) : at + 1;
    }
    return at;
  }

  /** Whether the byte is white space or a control character; both end keys and values. */
  private static boolean isSpace(byte b) {
    return b >= 0 && b <= ' ';
  }

  private static int newline(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** Parses the line at {@code begin}. {@link #from} and {@link #to} are set even if it throws. */
  void read(byte[] record, int begin) throws DroppedException {
    bytes = record;
    from = begin;
    at = begin;
    isQuoteBroken = false;
    tags.clear();
    fields.clear();
    try {
      measurement();
      while (isAt(',')) {
        at++;
        tag();
      }
      blanks("fields");
      field();
      while (isAt(',')) {
        at++;
        field();
      }
      time();
      to = at;
    } catch (DroppedException e) {
      to = newline(bytes, isQuoteBroken ? from : at);
      throw e;
    }
  }

  private boolean isAt(char c) {
    return at < bytes.length && bytes[at] == c;
  }

  private void measurement() throws DroppedException {
    while (at < bytes.length && bytes[at] != ',' && !isSpace(bytes[at])) {
      at += isEscape() ? 2 : 1;
    }
    measurementTo = at;
    if (measurementTo == from) {
      throw fault("no measurement");
    }
  }

  /** Whether the byte here is a backslash that escapes the next one. */
  private boolean isEscape() {
    return bytes[at] == '\\' && at + 1 < bytes.length && InfluxText.isEscapable(bytes[at + 1]);
  }

  private void tag() throws DroppedException {
    int keyFrom = at;
    int keyTo = key("tag");
    int valueFrom = at;
    token();
    if (at == valueFrom || isAt('=')) {
      throw fault("tag without a value");
    }
    tags.add(keyFrom, keyTo, valueFrom, at);
  }

  /** Reads a key; returns its end and moves past the {@code =}. */
  private int key(String what) throws DroppedException {
    int keyFrom = at;
    token();
    if (at == keyFrom || !isAt('=')) {
      throw fault(what + " that is not key=value");
    }
    return at++;
  }

  private void token() {
    while (at < bytes.length && !isSpace(bytes[at]) && bytes[at] != ',' && bytes[at] != '=') {
      at += isEscape() ? 2 : 1;
    }
  }

  private void blanks(String expected) throws DroppedException {
    int begin = at;
    skipBlanks();
    if (at == begin || isEnd()) {
      throw fault("no " + expected);
    }
  }

  private void skipBlanks() {
    while (at < bytes.length && bytes[at] != '\n' && isSpace(bytes[at])) {
      at++;
    }
  }

  private boolean isEnd() {
    return at == bytes.length || bytes[at] == '\n';
  }

  private void field() throws DroppedException {
    int keyFrom = at;
    int keyTo = key("field");
    int valueFrom = at;
    if (isAt('"')) {
      quoted();
    } else {
      while (at < bytes.length && bytes[at] != ',' && !isSpace(bytes[at])) {
        at++;
      }
    }
    fields.add(keyFrom, keyTo, valueFrom, at);
  }

  private void quoted() throws DroppedException {
    at++;
    while (at < bytes.length && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at++;
    isQuoteBroken = at > bytes.length || (!isAt(',') && at < bytes.length && !isSpace(bytes[at]));
    if (isQuoteBroken) {
      throw fault("quote that does not end a value");
    }
  }

  private void time() throws DroppedException {
    skipBlanks();
    timeFrom = at;
    while (at < bytes.length && !isSpace(bytes[at])) {
      at++;
    }
    int timeTo = at;
    skipBlanks();
    if (!isEnd()) {
      throw fault("extra text after the time");
    }
    at = timeTo;
  }

  private DroppedException fault(String what) {
    return DroppedException.unreadable(
        what + ": '" + Excerpt.of(bytes, from, newline(bytes, from)) + "'");
  }

  int from() {
    return from;
  }

  /** End of the line without trailing white space. */
  int to() {
    return to;
  }

  int measurementTo() {
    return measurementTo;
  }

  Pairs tags() {
    return tags;
  }

  Pairs fields() {
    return fields;
  }

  boolean hasTime() {
    return timeFrom < to;
  }

  /** Beginning of the time, which ends at {@link #to}. */
  int timeFrom() {
    return timeFrom;
  }
}
