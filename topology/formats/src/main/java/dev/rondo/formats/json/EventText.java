package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Surrogates;

/** The texts of an event, with the bounds of the query API. */
enum EventText {
  /** What happened; required. */
  WHAT("what", 1_000),
  /** All tags together. */
  TAGS("tags", 10_000),
  /** Anything else; may be empty. */
  DATA("data", 65_536);

  private final String key;
  private final int maxLength;

  EventText(String key, int maxLength) {
    this.key = key;
    this.maxLength = maxLength;
  }

  /** Returns the member of an element; empty if it is absent. */
  String of(Tape element) throws DroppedException {
    int at = element.isObject(0) ? element.member(0, key) : -1;
    boolean isAbsent = at < 0 || element.token(at) == JsonToken.VALUE_NULL;
    if (!isAbsent && !element.isText(at)) {
      throw DroppedException.unreadable("'" + key + "' is not text");
    }
    String text = isAbsent ? "" : element.text(at);
    if (this == WHAT && text.isBlank()) {
      throw DroppedException.unreadable("no 'what'");
    }
    return checked(text);
  }

  /** Returns the text; throws if it is too long, or PostgreSQL cannot store it. */
  String checked(String text) throws DroppedException {
    if (text.length() > maxLength) {
      throw DroppedException.unreadable(
          "'%s' of %d characters, more than %d".formatted(key, text.length(), maxLength));
    }
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == 0 || Surrogates.isUnpaired(text, at)) {
        throw DroppedException.unreadable(
            "'%s' has a character that cannot be stored, at %d".formatted(key, at + 1));
      }
    }
    return text;
  }
}
