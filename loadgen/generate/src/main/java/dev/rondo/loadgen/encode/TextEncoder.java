package dev.rondo.loadgen.encode;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One line per point: the name of the series, the value and the time.
 *
 * <pre>
 *   head              value             middle  time              end
 *   load.a7f3.m0.x‿   60.8257860394015  ‿       1800000000.270    \n
 * </pre>
 *
 * A value is written as a decimal that parses to the same double.
 */
final class TextEncoder implements Encoder {
  private final SeriesTexts heads;
  private final boolean isTimeFirst;
  private final byte[] middle;
  private final byte[] end;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  private TextEncoder(SeriesTexts heads, boolean isTimeFirst, String middle, String end) {
    this.heads = heads;
    this.isTimeFirst = isTimeFirst;
    this.middle = middle.getBytes(StandardCharsets.UTF_8);
    this.end = end.getBytes(StandardCharsets.UTF_8);
  }

  /** Lines with the value before the time. */
  static TextEncoder valueThenTime(SeriesTexts heads, String middle, String end) {
    return new TextEncoder(heads, false, middle, end);
  }

  /** Lines with the time before the value. */
  static TextEncoder timeThenValue(SeriesTexts heads, String middle, String end) {
    return new TextEncoder(heads, true, middle, end);
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    lines.writeBytes(heads.of(series, generation));
    if (isTimeFirst) {
      writeTime(tMs);
      lines.writeBytes(middle);
      writeValue(value);
    } else {
      writeValue(value);
      lines.writeBytes(middle);
      writeTime(tMs);
    }
    lines.writeBytes(end);
  }

  private void writeValue(double value) {
    lines.writeBytes(NumberOutput.toString(value, true).getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Writes seconds, such as {@code 1800000000.270}. */
  private void writeTime(long tMs) {
    lines.writeBytes(Long.toString(tMs / 1000).getBytes(StandardCharsets.ISO_8859_1));
    lines.write('.');
    long ms = tMs % 1000;
    lines.write('0' + (int) (ms / 100));
    lines.write('0' + (int) (ms / 10 % 10));
    lines.write('0' + (int) (ms % 10));
  }

  @Override
  public byte[] take() {
    byte[] record = lines.toByteArray();
    lines.reset();
    return record;
  }
}
