package dev.rondo.connect.postgres.changes;

import org.apache.kafka.connect.errors.DataException;

/** What PostgreSQL's text and jsonb can hold: any characters but NUL, in whole. */
final class StorableText {
  private StorableText() {}

  /**
   * {@code text} itself.
   *
   * @throws DataException naming {@code what} when it holds a NUL or half of a surrogate pair
   */
  static String check(String what, String text) {
    for (int c = 0; c < text.length(); c++) {
      char character = text.charAt(c);
      if (character == 0) {
        throw wrong(what, c, "a NUL");
      }
      if (Character.isSurrogate(character)) {
        if (c + 1 == text.length() || !Character.isSurrogatePair(character, text.charAt(c + 1))) {
          throw wrong(what, c, "half a surrogate pair");
        }
        c++;
      }
    }
    return text;
  }

  private static DataException wrong(String what, int index, String character) {
    return new DataException(
        "%s holds %s, character %d: PostgreSQL's text cannot"
            .formatted(what, character, index + 1));
  }
}
