package dev.rondo.formats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects the points and drops of a decoder; checks that each byte range lies within the record.
 */
public final class Found implements PointSink {
  /** Time at which the records of the tests were written, epoch ms. */
  public static final long NOW_MS = 1_700_000_000_500L;

  /** {@code ident value tMs} of each point; {@code what tags tMs data} of each event. */
  public final List<String> points = new ArrayList<>();

  /** The reason of each drop. */
  public final List<DropReason> drops = new ArrayList<>();

  /** The detail of each drop. */
  public final List<String> details = new ArrayList<>();

  /** The bytes of each point and drop. */
  public final List<String> pieces = new ArrayList<>();

  private final byte[] record;

  private Found(byte[] record) {
    this.record = record;
  }

  public static Found in(byte[] record, Decoder decoder) {
    Found found = new Found(record);
    decoder.decode(record, NOW_MS, found);
    return found;
  }

  public static Found in(String record, Decoder decoder) {
    return in(record.getBytes(StandardCharsets.UTF_8), decoder);
  }

  /** A golden record beside the test's class. */
  public static byte[] golden(Class<?> test, String name) {
    try (InputStream file = test.getResourceAsStream(name)) {
      return Objects.requireNonNull(file, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void point(String ident, long tMs, double value, int from, int to) {
    points.add(ident + " " + value + " " + tMs);
    pieces.add(piece(from, to));
  }

  @Override
  public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
    points.add(what + " " + tags + " " + tMs + " " + data);
    pieces.add(piece(from, to));
  }

  @Override
  public void drop(DropReason reason, String detail, int from, int to) {
    drops.add(reason);
    details.add(detail);
    pieces.add(piece(from, to));
  }

  private String piece(int from, int to) {
    Objects.checkFromToIndex(from, to, record.length);
    return new String(record, from, to - from, StandardCharsets.UTF_8);
  }
}
