package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Collects the points and drops of one record, as text. */
public final class FoundInRecord implements PointSink {
  /** Time at which the record was written, epoch ms. */
  public static final long NOW_MS = 1_700_000_000_500L;

  /** {@code ident value tMs} each. */
  public final List<String> points = new ArrayList<>();

  /** {@code reason: detail} each. */
  public final List<String> drops = new ArrayList<>();

  /** The bytes of each point and drop, {@code from..to}. */
  public final List<String> ranges = new ArrayList<>();

  private final int length;

  private FoundInRecord(int length) {
    this.length = length;
  }

  public static FoundInRecord by(Decoder decoder, byte[] record) {
    FoundInRecord found = new FoundInRecord(record.length);
    decoder.decode(record, NOW_MS, found);
    return found;
  }

  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    points.add(ident + " " + value + " " + tMs);
    range(from, to);
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    drops.add(reason.key() + ": " + detail);
    range(from, to);
  }

  private void range(int from, int to) {
    assertThat(from).isBetween(0, to);
    assertThat(to).isLessThanOrEqualTo(length);
    ranges.add(from + ".." + to);
  }
}
