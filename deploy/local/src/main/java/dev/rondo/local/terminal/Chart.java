package dev.rondo.local.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A small bar chart of text, one column a value, eight levels a line; an unknown value is a gap.
 *
 * <pre>
 *  12.5 ┤  ▃█
 *   0.0 ┤▅▁██ ▂
 * </pre>
 */
final class Chart {
  private static final String LEVELS = " ▁▂▃▄▅▆▇█";
  private static final int PER_LINE = LEVELS.length() - 1;

  private Chart() {}

  /**
   * The newest values that fit, drawn from 0, or from the least value if that is below 0.
   *
   * @param values oldest first; null is unknown
   * @param width columns for values, without the scale
   * @param height lines, at least 2
   */
  static List<String> lines(List<Double> values, int width, int height) {
    var shown = values.subList(Math.max(0, values.size() - width), values.size());
    var known = shown.stream().filter(Objects::nonNull).mapToDouble(v -> v).toArray();
    double top = Arrays.stream(known).max().orElse(1);
    double bottom = Math.min(0, Arrays.stream(known).min().orElse(0));
    if (top <= bottom) {
      top = bottom + 1;
    }
    int labelWidth = Math.max(label(top).length(), label(bottom).length());
    var lines = new ArrayList<String>();
    for (int line = height - 1; line >= 0; line--) {
      String label = line == height - 1 ? label(top) : line == 0 ? label(bottom) : "";
      var text = new StringBuilder(" ".repeat(labelWidth - label.length()) + label + " ┤");
      for (Double value : shown) {
        text.append(cell(value, bottom, top, line, height));
      }
      lines.add(text.toString());
    }
    return lines;
  }

  /** A number for people: one decimal, or none from 1000 up. */
  static String label(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 1000 ? "%.1f" : "%.0f", value);
  }

  private static char cell(Double value, double bottom, double top, int line, int height) {
    if (value == null) {
      return LEVELS.charAt(0);
    }
    double share = (value - bottom) / (top - bottom);
    long level = Math.max(1, Math.round(share * height * PER_LINE)); // 0 is to be seen, too
    return LEVELS.charAt((int) Math.max(0, Math.min(PER_LINE, level - (long) line * PER_LINE)));
  }
}
