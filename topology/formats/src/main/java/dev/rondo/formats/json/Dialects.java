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

/** Detects the dialect of an element: the first one whose keys it has. Immutable. */
final class Dialects {
  private static final int MAX_KEYS_SHOWN = 10;

  private final List<Dialect> all;
  private final List<Signature> signatures = new ArrayList<>();
  private final Map<String, Long> bits = new HashMap<>();

  /** Keys that identify a dialect, one bit each. */
  private record Signature(long keys, Dialect dialect) {}

  /**
   * Creates the dialects; {@code timeUnit} applies to those whose times have no fixed unit.
   *
   * @param only the dialect to read; empty = detected for each element from its keys
   */
  Dialects(TimeUnit timeUnit, Optional<String> only) {
    List<Dialect> known = known(timeUnit);
    this.all =
        only.isEmpty() ? known : known.stream().filter(d -> d.key().equals(only.get())).toList();
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "dialect '%s' is not one of %s (dialect)".formatted(only.get(), names(known)));
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

  List<String> keys() {
    return all.stream().map(Dialect::key).toList();
  }

  /** Whether the element has the keys of a dialect. */
  boolean match(Tape element) {
    return element.isObject(0) && dialectOf(element) != null;
  }

  private Dialect dialectOf(Tape element) {
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
   * Emits the points of the element.
   *
   * @throws DroppedException if it holds no point, or matches no dialect
   */
  void read(Tape element, ElementSink sink) throws DroppedException {
    if (!element.isObject(0)) {
      throw DroppedException.unreadable(
          element.isArray(0) ? "an array in an array, not an object" : "not an object");
    }
    Dialect dialect = dialectOf(element);
    if (dialect == null) {
      throw DroppedException.unreadable(
          "an object with %s matches no dialect: %s".formatted(keysOf(element), names(all)));
    }
    dialect.read(element, sink);
  }

  private static String keysOf(Tape element) {
    StringJoiner keys = new StringJoiner(", ", "the keys ", "").setEmptyValue("no keys");
    int shown = 0;
    for (int at = element.first(0); at < element.end(0); at = element.next(at)) {
      if (shown++ == MAX_KEYS_SHOWN) {
        return keys.add("…").toString();
      }
      keys.add(Excerpt.of(element.key(at)));
    }
    return keys.toString();
  }
}
