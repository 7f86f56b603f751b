package dev.rondo.connect.postgres.changes;

import org.apache.kafka.connect.errors.DataException;

/** Checks text for what PostgreSQL's text and jsonb cannot store: NUL and lone surrogates. */
final class StorableText {
  private StorableText() {}

  /**
   * Returns {@code text}.
   *
   * @throws DataException naming {@code what} when it contains a NUL or half of a surrogate pair
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
        "%s holds %s at character %d, which PostgreSQL cannot store"
            .formatted(what, character, index + 1));
  }
}
