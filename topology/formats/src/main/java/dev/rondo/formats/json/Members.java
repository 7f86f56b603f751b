package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.mapping.ScalarText;

/** Reads members of an element; throws if one is missing or has the wrong type. */
final class Members {
  /** The element itself. */
  private static final int WHOLE = 0;

  /**
   * Longest name, or all labels together, characters: above any {@code ident.max.bytes}, and cheap
   * enough to copy for each of thousands of fields.
   */
  private static final int LONGEST = 4096;

  private Members() {}

  static boolean has(Tape element, String key) {
    return element.member(WHOLE, key) >= 0;
  }

  static int of(Tape element, String key) throws DroppedException {
    return of(element, WHOLE, key);
  }

  /** Returns a member of a part, which must be an object. */
  static int of(Tape element, int object, String key) throws DroppedException {
    int at = element.isObject(object) ? element.member(object, key) : -1;
    if (at < 0) {
      throw DroppedException.unreadable("no '" + key + "'");
    }
    return at;
  }

  static String text(Tape element, String key) throws DroppedException {
    int at = of(element, key);
    if (!element.isText(at)) {
      throw DroppedException.unreadable("'" + key + "' is not text");
    }
    checkLength(key, element.text(at).length());
    return element.text(at);
  }

  private static void checkLength(String key, int length) throws DroppedException {
    if (length > LONGEST) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "'%s' of %d characters, more than %d".formatted(key, length, LONGEST));
    }
  }

  /** Returns a text member; empty if it is absent or not text. */
  static String textOrNone(Tape element, String key) throws DroppedException {
    int at = element.member(WHOLE, key);
    return at < 0 || !element.isText(at) ? "" : text(element, key);
  }

  static int object(Tape element, String key) throws DroppedException {
    int at = of(element, key);
    if (!element.isObject(at)) {
      throw DroppedException.unreadable("'" + key + "' is not an object");
    }
    return at;
  }

  static int array(Tape element, String key) throws DroppedException {
    return array(element, WHOLE, key);
  }

  /** Returns an array member of a part, which must be an object. */
  static int array(Tape element, int object, String key) throws DroppedException {
    int at = of(element, object, key);
    if (!element.isArray(at)) {
      throw DroppedException.unreadable("'" + key + "' is not an array");
    }
    return at;
  }

  /** Adds the members of an object to the labels; an absent object adds none. */
  static void labels(Tape element, String key, Labels labels) throws DroppedException {
    int object = element.member(WHOLE, key);
    if (object < 0 || element.token(object) == JsonToken.VALUE_NULL) {
      return;
    }
    if (!element.isObject(object)) {
      throw DroppedException.unreadable("'" + key + "' is not an object");
    }
    int length = 0;
    for (int at = element.first(object); at < element.end(object); at = element.next(at)) {
      String label = label(element, at);
      length += element.key(at).length() + label.length();
      labels.put(element.key(at), label);
    }
    checkLength(key, length);
  }

  /**
   * Returns the value of a label: the last of an array, as Vector's tags can have several; empty
   * for null.
   */
  private static String label(Tape element, int at) throws DroppedException {
    return switch (element.token(at)) {
      case VALUE_STRING -> element.text(at);
      case VALUE_NULL -> "";
      case VALUE_TRUE -> "true";
      case VALUE_FALSE -> "false";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> ScalarText.of(element.number(at));
      case START_ARRAY -> {
        String last = "";
        for (int n = element.first(at); n < element.end(at); n = element.next(n)) {
          last = element.isText(n) ? element.text(n) : last;
        }
        yield last;
      }
      default ->
          throw DroppedException.unreadable(
              "label '" + Excerpt.of(element.key(at)) + "' is an object");
    };
  }
}
