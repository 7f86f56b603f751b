package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Collects points, {@code ident value ms}, and drops, {@code reason: detail}. */
final class Found implements PointSink {
  static final long NOW_MS = 1_700_000_000_500L;

  final List<String> points = new ArrayList<>();
  final List<String> drops = new ArrayList<>();

  /** {@code from..to} of every point and drop. */
  final List<String> pieces = new ArrayList<>();

  private final int length;

  private Found(int length) {
    this.length = length;
  }

  static Found in(byte[] record) {
    Found found = new Found(record.length);
    new OtlpDecoder(new Naming(1024, 64)).decode(record, NOW_MS, found);
    return found;
  }

  static Found in(String json) {
    return in(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    points.add(ident + " " + value + " " + tMs);
    piece(from, to);
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    drops.add(reason.key() + ": " + detail);
    piece(from, to);
  }

  private void piece(int from, int to) {
    if (from < 0 || to < from || to > length) {
      throw new IllegalArgumentException(from + ".." + to + " of " + length);
    }
    pieces.add(from + ".." + to);
  }
}
