package dev.rondo.formats.graphite;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;

/**
 * Offsets of the fields of one line in a record. Reused for each line.
 *
 * <pre>
 *   disk.used;host=a;path=/mnt/big disk 98.09 1455320690
 *   name     ^tags                      value time
 * </pre>
 *
 * <p>Tags may hold white space, as in Telegraf's mode {@code compatible}: value and time are the
 * last two fields.
 */
final class GraphiteLine {
  private int from;
  private int to;
  private int fields;
  private int controlAt;
  private int nameFrom;
  private int nameTo;
  private int tagsTo;
  private boolean hasTags;
  private int valueFrom;
  private int valueTo;
  private int timeFrom;
  private int timeTo;

  /** Parses the line at {@code begin}; returns the beginning of the next one. */
  int read(byte[] bytes, int begin) {
    from = begin;
    fields = 0;
    controlAt = -1;
    int at = begin;
    while (true) {
      while (at < bytes.length && isBetweenFields(bytes[at]) && bytes[at] != '\n') {
        if (!isBlank(bytes[at])) {
          controlAt = at;
        }
        at++;
      }
      if (at == bytes.length || bytes[at] == '\n') {
        to = at;
        return at + 1;
      }
      at = fields++ == 0 ? path(bytes, at) : number(bytes, at);
    }
  }

  private static boolean isBetweenFields(byte b) {
    return (b >= 0 && b <= ' ') || b == 0x7f;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private int path(byte[] bytes, int begin) {
    nameFrom = begin;
    nameTo = begin;
    while (nameTo < bytes.length && bytes[nameTo] != ';' && !isBetweenFields(bytes[nameTo])) {
      nameTo++;
    }
    hasTags = nameTo < bytes.length && bytes[nameTo] == ';';
    tagsTo = end(bytes, nameTo);
    return tagsTo;
  }

  private static int end(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && !isBetweenFields(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Takes the field as the time; the field before becomes the value, and earlier ones are tags. */
  private int number(byte[] bytes, int begin) {
    if (fields > 2) {
      tagsTo = fields > 3 ? valueTo : tagsTo;
      valueFrom = timeFrom;
      valueTo = timeTo;
    }
    timeFrom = begin;
    timeTo = end(bytes, begin);
    return timeTo;
  }

  boolean isEmpty() {
    return fields == 0 && controlAt < 0;
  }

  /** Throws if the line as a whole is malformed. */
  void check(byte[] bytes) throws DroppedException {
    if (controlAt >= 0) {
      throw DroppedException.unreadable(
          "control character 0x%02x in '%s'"
              .formatted(bytes[controlAt], Excerpt.of(bytes, from, to)));
    }
    if (fields < 3 || (fields > 3 && !hasTags)) {
      throw DroppedException.unreadable(
          "fields: %d, not path value time: '%s'".formatted(fields, Excerpt.of(bytes, from, to)));
    }
  }

  /** Whether the time stands for the time of writing. */
  boolean isNow(byte[] bytes) {
    return switch (timeTo - timeFrom) {
      case 1 -> bytes[timeFrom] == 'N';
      case 2 -> bytes[timeFrom] == '-' && bytes[timeFrom + 1] == '1';
      default -> false;
    };
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  int nameFrom() {
    return nameFrom;
  }

  int nameTo() {
    return nameTo;
  }

  /** Whether there are tags, after the name and a {@code ;}, up to {@link #tagsTo}. */
  boolean hasTags() {
    return hasTags;
  }

  int tagsTo() {
    return tagsTo;
  }

  int valueFrom() {
    return valueFrom;
  }

  int valueTo() {
    return valueTo;
  }

  int timeFrom() {
    return timeFrom;
  }

  int timeTo() {
    return timeTo;
  }
}
