package dev.rondo.formats.mapping;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.EpochTime;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Emits the points of decoded records by a mapping. Not thread-safe. */
public final class MappedPoints {
  /**
   * Longest name, or all tags together, characters: above any {@code ident.max.bytes}, and cheap
   * enough to copy for each of thousands of points.
   */
  private static final int LONGEST = 4096;

  private final Mapping mapping;
  private final List<List<String>> loops;
  private final EpochTime times;
  private final Naming naming;

  /** The record, then the item of each loop; the last is the sample. */
  private final Object[] items;

  private final String[] keys;
  private final Labels labels = new Labels();
  private final StringBuilder name = new StringBuilder();
  private Tree tree;
  private PointSink sink;
  private long nowMs;
  private int from;
  private int to;
  private int labelsLength;

  /**
   * @param timeUnit of times that are plain numbers
   * @param naming must not be shared
   */
  public MappedPoints(Mapping mapping, TimeUnit timeUnit, Naming naming) {
    this.mapping = mapping;
    this.loops = mapping.loops();
    this.times = new EpochTime(timeUnit);
    this.naming = naming;
    this.items = new Object[loops.size() + 1];
    this.keys = new String[loops.size() + 1];
  }

  /**
   * Emits every point of a record.
   *
   * @param nowMs when the record was written, epoch ms
   * @param from first byte of the record or piece
   * @param to last byte, exclusive
   */
  public void emit(Tree tree, Object record, long nowMs, PointSink sink, int from, int to) {
    this.tree = tree;
    this.nowMs = nowMs;
    this.sink = sink;
    this.from = from;
    this.to = to;
    items[0] = record;
    loop(0);
  }

  /** Iterates over loop {@code n}, within the current items of the outer loops. */
  private void loop(int n) {
    if (n == loops.size()) {
      sample();
      return;
    }
    Object collection = follow(items[n], loops.get(n));
    if (collection == null) {
      drop(DropReason.NO_VALUE, "'" + String.join(".", loops.get(n)) + "' has no value");
      return;
    }
    switch (tree.kind(collection)) {
      case LIST, ENTRIES ->
          tree.forEach(
              collection,
              (key, item) -> {
                items[n + 1] = item;
                keys[n + 1] = key;
                loop(n + 1);
              });
      default ->
          drop(
              DropReason.UNSUPPORTED,
              "'" + String.join(".", loops.get(n)) + "' is not a list or map");
    }
  }

  private Object follow(Object from, List<String> steps) {
    Object at = from;
    for (int n = 0; at != null && n < steps.size(); n++) {
      at = tree.entry(at, steps.get(n));
    }
    return at;
  }

  private Object at(Path path) {
    int loop = path.loops().size();
    return path.isKey() ? keys[loop] : follow(items[loop], path.steps());
  }

  private Object scalar(Object part) {
    return part instanceof String ? part : tree.scalar(part);
  }

  private boolean isScalar(Object part) {
    return part instanceof String || tree.kind(part) == Tree.Kind.SCALAR;
  }

  private void sample() {
    try {
      readName();
      readLabels();
      long tMs = timeMs();
      for (Mapping.Value value : mapping.values()) {
        value(value, tMs);
      }
    } catch (DroppedException e) {
      drop(e.reason(), e.getMessage());
    }
  }

  private void readName() throws DroppedException {
    name.setLength(0);
    NamePattern pattern = mapping.name();
    for (int n = 0; n < pattern.paths().size(); n++) {
      name.append(pattern.texts().get(n));
      Object part = at(pattern.paths().get(n));
      if (part != null) {
        name.append(text(part, pattern.paths().get(n)));
      }
    }
    name.append(pattern.texts().get(pattern.paths().size()));
    checkLength("the name", name.length());
  }

  private String text(Object part, Object what) throws DroppedException {
    if (!isScalar(part)) {
      throw new DroppedException(
          DropReason.UNSUPPORTED, "'" + what + "' is not text, a number, a boolean or a time");
    }
    return ScalarText.of(scalar(part));
  }

  private static void checkLength(String what, int length) throws DroppedException {
    if (length > LONGEST) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "%s has %d characters, more than %d".formatted(what, length, LONGEST));
    }
  }

  private void readLabels() throws DroppedException {
    labels.clear();
    labelsLength = 0;
    for (Mapping.Tag tag : mapping.tags()) {
      Object part = at(tag.path());
      if (part != null && isScalar(part)) {
        putLabel(tag.key(), text(part, tag.path()));
      } else if (part != null) {
        tree.forEach(part, this::putEntry);
      }
    }
    checkLength("tags together", labelsLength);
  }

  /** Adds an entry of a map or record as a tag if it is a scalar. */
  private void putEntry(String key, Object part) {
    if (part != null && isScalar(part) && !key.isEmpty()) {
      putLabel(key, ScalarText.of(scalar(part)));
    }
  }

  private void putLabel(String key, String value) {
    labelsLength =
        (int) Math.min(Integer.MAX_VALUE, (long) labelsLength + key.length() + value.length());
    if (labelsLength <= LONGEST) {
      labels.put(key, value);
    }
  }

  private long timeMs() throws DroppedException {
    Object part = mapping.time().isEmpty() ? null : at(mapping.time().get());
    if (part == null) {
      return nowMs;
    }
    Object time = isScalar(part) ? scalar(part) : part;
    if (time instanceof Instant instant) {
      return epochMs(instant);
    }
    if (time instanceof Long || time instanceof Integer) {
      return times.ms(((Number) time).longValue());
    }
    if (time instanceof Number number) {
      return times.ms(number.doubleValue());
    }
    if (time instanceof String text) {
      try {
        return epochMs(Instant.parse(text));
      } catch (DateTimeException e) {
        throw DroppedException.unreadable(
            "time '%s' is not like 2026-05-04T10:00:10Z (mapping.time)"
                .formatted(Excerpt.of(text)));
      }
    }
    throw DroppedException.unreadable(
        "'%s' is not a time (mapping.time)".formatted(mapping.time().get()));
  }

  private static long epochMs(Instant time) throws DroppedException {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw DroppedException.unreadable("time %s does not fit 64 bits of ms".formatted(time));
    }
  }

  private void value(Mapping.Value value, long tMs) {
    Object part = at(value.path());
    if (part == null) {
      if (!value.path().isOptional()) {
        drop(DropReason.NO_VALUE, "'" + value.path() + "' has no value");
      }
    } else if (isScalar(part)) {
      point(value.field(), tMs, scalar(part));
    } else {
      switch (tree.kind(part)) {
        case ENTRIES ->
            tree.forEach(part, (key, entry) -> entry(join(value.prefix(), key), tMs, entry));
        case LIST ->
            drop(
                DropReason.UNSUPPORTED,
                "'" + value.path() + "' is a list: write [] after it (mapping.values)");
        default -> drop(DropReason.UNSUPPORTED, "'" + value.path() + "' is not a number");
      }
    }
  }

  private static String join(String prefix, String key) {
    return prefix.isEmpty() ? key : prefix + "." + key;
  }

  private void entry(String field, long tMs, Object part) {
    if (part == null) {
      drop(DropReason.NO_VALUE, "'" + Excerpt.of(field) + "' has no value");
    } else if (isScalar(part)) {
      point(field, tMs, scalar(part));
    } else {
      drop(
          DropReason.UNSUPPORTED,
          "'" + Excerpt.of(field) + "' has parts: name it by its own path (mapping.values)");
    }
  }

  private void point(String field, long tMs, Object value) {
    if (value instanceof String text) {
      drop(
          DropReason.TEXT_VALUE,
          "'" + Excerpt.of(field) + "' is the text '" + Excerpt.of(text) + "'");
    } else if (value instanceof Instant) {
      drop(DropReason.UNSUPPORTED, "'" + Excerpt.of(field) + "' is a time, not a number");
    } else {
      double number =
          value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).doubleValue();
      try {
        String ident =
            name.isEmpty()
                ? naming.ident(field, "", labels)
                : naming.ident(name.toString(), field, labels);
        sink.point(ident, tMs, number, from, to);
      } catch (DroppedException e) {
        sink.drop(e.reason(), e.getMessage(), from, to);
      }
    }
  }

  private void drop(DropReason reason, String detail) {
    sink.drop(reason, detail, from, to);
  }
}
