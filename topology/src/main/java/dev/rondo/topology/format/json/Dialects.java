package dev.rondo.topology.format.json;

import dev.rondo.topology.format.DroppedException;
import dev.rondo.topology.format.Excerpt;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** All dialects, in the order in which they are asked whether an element is theirs. */
final class Dialects {
  private static final int MOST_KEYS_TOLD = 10;

  private final List<Dialect> all;

  /**
   * The dialects whose times say no unit have {@code timeUnit}.
   *
   * @param only the one dialect to read; empty = each element's is found out from its keys
   */
  Dialects(TimeUnit timeUnit, Optional<String> only) {
    List<Dialect> known = known(timeUnit);
    this.all =
        only.isEmpty() ? known : known.stream().filter(d -> d.key().equals(only.get())).toList();
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "dialect '%s' is none of %s (dialect)".formatted(only.get(), names(known)));
    }
  }

  private static List<Dialect> known(TimeUnit timeUnit) {
    return List.of(
        new TelegrafDialect(timeUnit),
        new CollectdDialect(),
        new JsonLineDialect(),
        new PrometheusAdapterDialect(),
        new OpenTsdbDialect(),
        new VectorDialect(),
        new PlainDialect(timeUnit));
  }

  private static String names(List<Dialect> dialects) {
    return dialects.stream().map(Dialect::key).collect(Collectors.joining(", "));
  }

  /** Names of all, as settings know them. */
  static List<String> keys() {
    return known(TimeUnit.SECONDS).stream().map(Dialect::key).toList();
  }

  /** Whether the element is of one of them. */
  boolean claim(Tape element) {
    return element.isObject(0) && claiming(element) != null;
  }

  private Dialect claiming(Tape element) {
    for (Dialect dialect : all) {
      if (dialect.claims(element)) {
        return dialect;
      }
    }
    return null;
  }

  /**
   * Hands on what the element holds.
   *
   * @throws DroppedException where it holds no point, or is of none of them
   */
  void read(Tape element, ElementSink sink) throws DroppedException {
    if (!element.isObject(0)) {
      throw DroppedException.unreadable(
          element.isArray(0) ? "an array in an array, not an object" : "not an object");
    }
    Dialect dialect = claiming(element);
    if (dialect == null) {
      throw DroppedException.unreadable(
          "an object with %s is of none of the dialects: %s"
              .formatted(keysOf(element), names(all)));
    }
    dialect.read(element, sink);
  }

  private static String keysOf(Tape element) {
    StringJoiner keys = new StringJoiner(", ", "the keys ", "").setEmptyValue("no keys");
    int told = 0;
    for (int at = element.first(0); at < element.end(0); at = element.next(at)) {
      if (told++ == MOST_KEYS_TOLD) {
        return keys.add("…").toString();
      }
      keys.add(Excerpt.of(element.key(at)));
    }
    return keys.toString();
  }
}
