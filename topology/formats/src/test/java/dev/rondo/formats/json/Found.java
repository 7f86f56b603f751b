package dev.rondo.formats.json;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Collects the points and drops of a record, as text. */
final class Found implements PointSink {
  static final long NOW_MS = 1_700_000_000_500L;

  /** {@code ident value time} or {@code ! reason: detail}, in order. */
  final List<String> all = new ArrayList<>();

  /** The bytes of each, as text. */
  final List<String> pieces = new ArrayList<>();

  private final byte[] record;

  private Found(byte[] record) {
    this.record = record;
  }

  static Found in(String record) {
    return in(record.getBytes(StandardCharsets.UTF_8));
  }

  static Found in(byte[] record) {
    return in(record, TimeUnit.SECONDS, Optional.empty());
  }

  static Found in(String record, String dialect) {
    return in(record.getBytes(StandardCharsets.UTF_8), TimeUnit.SECONDS, Optional.of(dialect));
  }

  static Found in(byte[] record, TimeUnit timeUnit, Optional<String> dialect) {
    Found found = new Found(record);
    new JsonDecoder(new Naming(80, 4), timeUnit, dialect).decode(record, NOW_MS, found);
    return found;
  }

  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    all.add(ident + " " + value + " " + tMs);
    pieces.add(new String(record, from, to - from, StandardCharsets.UTF_8));
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    all.add("! " + reason.key() + ": " + detail);
    pieces.add(new String(record, from, to - from, StandardCharsets.UTF_8));
  }
}
