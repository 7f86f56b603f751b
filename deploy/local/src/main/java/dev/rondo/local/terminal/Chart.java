package dev.rondo.local.terminal;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Draws a small bar chart in text, one column per value; an unknown value is a gap. Block elements
 * have eight levels per line; ASCII, for other terminals, has three.
 *
 * <pre>
 *  12.5 ┤  ▃█         12.5 |  .#
 *   0.0 ┤▅▁██ ▂        0.0 |:.## .
 * </pre>
 */
final class Chart {
  /** Characters of a chart. */
  enum Glyphs {
    BLOCKS(" ▁▂▃▄▅▆▇█", '┤'),
    ASCII(" .:#", '|');

    private final String levels;
    private final char axis;

    Glyphs(String levels, char axis) {
      this.levels = levels;
      this.axis = axis;
    }

    /** Returns block elements if the charset can encode them. */
    static Glyphs of(Charset charset) {
      return charset.canEncode() && charset.newEncoder().canEncode(BLOCKS.levels + BLOCKS.axis)
          ? BLOCKS
          : ASCII;
    }

    private int perLine() {
      return levels.length() - 1;
    }
  }

  private Chart() {}

  /**
   * Draws the newest values that fit, from 0, or from the minimum if it is negative.
   *
   * @param values oldest first; null is unknown
   * @param width columns of values, without the scale
   * @param height lines, at least 2
   */
  static List<String> lines(List<Double> values, int width, int height, Glyphs glyphs) {
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
      var text =
          new StringBuilder(" ".repeat(labelWidth - label.length()) + label + " " + glyphs.axis);
      for (Double value : shown) {
        text.append(cell(value, bottom, top, line, height, glyphs));
      }
      lines.add(text.toString());
    }
    return lines;
  }

  /** Rounds a number to one decimal, or to an integer from 1000. */
  static String label(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 1000 ? "%.1f" : "%.0f", value);
  }

  private static char cell(
      Double value, double bottom, double top, int line, int height, Glyphs glyphs) {
    if (value == null) {
      return glyphs.levels.charAt(0);
    }
    int perLine = glyphs.perLine();
    double share = (value - bottom) / (top - bottom);
    long level = Math.max(1, Math.round(share * height * perLine)); // 0 must be visible
    return glyphs.levels.charAt(
        (int) Math.max(0, Math.min(perLine, level - (long) line * perLine)));
  }
}
