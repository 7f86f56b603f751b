package dev.rondo.topology.format.graphite;

import dev.rondo.topology.format.DroppedException;
import dev.rondo.topology.format.Excerpt;

/**
 * Where the fields of one line are in a record. Made once and filled anew for each line.
 *
 * <pre>
 *   disk.used;host=a;dc=ams 98.09 1455320690
 *   name     ^tags         ^value^time
 * </pre>
 */
final class GraphiteLine {
  private static final int PATH = 0;
  private static final int VALUE = 1;
  private static final int TIME = 2;
  private static final int FIELDS = 3;

  private final int[] froms = new int[FIELDS];
  private final int[] tos = new int[FIELDS];
  private int from;
  private int to;
  private int fields;
  private int nameTo;
  private int controlAt;

  /** Reads the line that begins at {@code begin} and returns where the next one does. */
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
      at = field(bytes, at);
    }
  }

  private static boolean isBetweenFields(byte b) {
    return (b >= 0 && b <= ' ') || b == 0x7f;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private int field(byte[] bytes, int begin) {
    int at = begin;
    if (fields == PATH) {
      while (at < bytes.length && bytes[at] != ';' && !isBetweenFields(bytes[at])) {
        at++;
      }
      nameTo = at;
    }
    while (at < bytes.length && !isBetweenFields(bytes[at])) {
      at++;
    }
    if (fields < FIELDS) {
      froms[fields] = begin;
      tos[fields] = at;
    }
    fields++;
    return at;
  }

  boolean isEmpty() {
    return fields == 0 && controlAt < 0;
  }

  /** Throws what is wrong with the line as a whole. */
  void check(byte[] bytes) throws DroppedException {
    if (controlAt >= 0) {
      throw DroppedException.unreadable(
          "control character 0x%02x in '%s'"
              .formatted(bytes[controlAt], Excerpt.of(bytes, from, to)));
    }
    if (fields != FIELDS) {
      throw DroppedException.unreadable(
          "fields: %d, not path value time: '%s'".formatted(fields, Excerpt.of(bytes, from, to)));
    }
  }

  /** Whether the time is the one of writing. */
  boolean isNow(byte[] bytes) {
    int begin = froms[TIME];
    return switch (tos[TIME] - begin) {
      case 1 -> bytes[begin] == 'N';
      case 2 -> bytes[begin] == '-' && bytes[begin + 1] == '1';
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
    return froms[PATH];
  }

  int nameTo() {
    return nameTo;
  }

  /** Equal to {@link #nameTo} where there are no tags, else they are between the two, after a ;. */
  int tagsTo() {
    return tos[PATH];
  }

  int valueFrom() {
    return froms[VALUE];
  }

  int valueTo() {
    return tos[VALUE];
  }

  int timeFrom() {
    return froms[TIME];
  }

  int timeTo() {
    return tos[TIME];
  }
}
