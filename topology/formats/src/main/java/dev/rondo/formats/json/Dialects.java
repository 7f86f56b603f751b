package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The dialects to read; where an element has the keys of two, it is of the first. Nothing in it
 * changes.
 */
final class Dialects {
  private static final int MOST_KEYS_TOLD = 10;

  private final List<Dialect> all;
  private final List<Signature> signatures = new ArrayList<>();
  private final Map<String, Long> bits = new HashMap<>();

  /** Keys, a bit each, that make an object one of a dialect. */
  private record Signature(long keys, Dialect dialect) {}

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
    for (Dialect dialect : all) {
      for (Set<String> keys : dialect.signatures()) {
        signatures.add(new Signature(bitsOf(keys), dialect));
      }
    }
  }

  private long bitsOf(Set<String> keys) {
    long sum = 0;
    for (String key : keys) {
      sum |= bits.computeIfAbsent(key, k -> 1L << bits.size());
    }
    return sum;
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
  List<String> keys() {
    return all.stream().map(Dialect::key).toList();
  }

  /** Whether the element is of one of them. */
  boolean claim(Tape element) {
    return element.isObject(0) && claiming(element) != null;
  }

  private Dialect claiming(Tape element) {
    long keys = 0;
    for (int at = element.first(0); at < element.end(0); at = element.next(at)) {
      keys |= bits.getOrDefault(element.key(at), 0L);
    }
    for (Signature signature : signatures) {
      if ((keys & signature.keys()) == signature.keys()) {
        return signature.dialect();
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
