package dev.rondo.connect.postgres.changes;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import org.apache.kafka.connect.errors.DataException;

/**
 * Identity of a series as the {@code ds} table holds it.
 *
 * @param json {@code {"name":"…","k":"v"}}, tags sorted: equal text means equal series
 */
public record Ident(String json) {

  /**
   * Parses canonical text {@code name;k=v;k2=v2}.
   *
   * @throws DataException if it is not an {@linkplain dev.rondo.schemas.Ident ident}, or PostgreSQL
   *     cannot hold the text
   */
  public static Ident parse(String canonical) {
    try {
      return of(dev.rondo.schemas.Ident.parse(StorableText.check("ident", canonical)));
    } catch (IllegalArgumentException e) {
      throw new DataException(e.getMessage()); // the message says it all
    }
  }

  private static Ident of(dev.rondo.schemas.Ident ident) {
    var json = new StringBuilder("{\"name\":").append(quoted(ident.name()));
    ident
        .tags()
        .forEach(
            (key, value) -> json.append(',').append(quoted(key)).append(':').append(quoted(value)));
    return new Ident(json.append('}').toString());
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
