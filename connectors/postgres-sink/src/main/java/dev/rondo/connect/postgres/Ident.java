package dev.rondo.connect.postgres;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.TreeMap;
import org.apache.kafka.connect.errors.DataException;

/**
 * Identity of a series as the {@code ds} table holds it.
 *
 * @param json {@code {"name":"…","k":"v"}}, tags sorted: equal text means equal series
 */
record Ident(String json) {

  /**
   * From the canonical text {@code name;k=v;k2=v2}. A tag ends its key at its first {@code =}; its
   * value may hold more of them.
   *
   * @throws DataException when the name is empty, or a tag has no key, no {@code =}, comes twice or
   *     is called {@code name}, or PostgreSQL cannot hold the text
   */
  static Ident parse(String canonical) {
    String[] parts = StorableText.check("ident", canonical).split(";", -1);
    if (parts[0].isEmpty()) {
      throw new DataException("ident has no name: '" + canonical + "'");
    }
    var tags = new TreeMap<String, String>();
    for (int p = 1; p < parts.length; p++) {
      int equals = parts[p].indexOf('=');
      String key = equals < 1 ? "" : parts[p].substring(0, equals);
      if (key.isEmpty() || key.equals("name")) {
        throw new DataException("'" + parts[p] + "' is not a tag k=v in ident '" + canonical + "'");
      }
      if (tags.put(key, parts[p].substring(equals + 1)) != null) {
        throw new DataException("tag " + key + " comes twice in ident '" + canonical + "'");
      }
    }
    return new Ident(json(parts[0], tags));
  }

  private static String json(String name, TreeMap<String, String> tags) {
    var json = new StringBuilder("{\"name\":").append(quoted(name));
    tags.forEach(
        (key, value) -> json.append(',').append(quoted(key)).append(':').append(quoted(value)));
    return json.append('}').toString();
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
