package dev.rondo.loadgen.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders in the syntax of Python's {@code str.format}: {@code {machine}}, {@code
 * {metric:02d}}, {@code {generation}}. A width pads the number with zeros.
 */
public final class Template {
  private static final Pattern NUMBER =
      Pattern.compile("\\{(machine|metric|generation)(?::0(\\d)d)?}");

  private final String text;
  private final List<Piece> pieces = new ArrayList<>();

  public Template(String text) {
    this.text = text;
    Matcher numbers = NUMBER.matcher(text);
    int from = 0;
    while (numbers.find()) {
      String width = numbers.group(2);
      pieces.add(
          new Piece(
              text.substring(from, numbers.start()),
              numbers.group(1),
              width == null ? 1 : Integer.parseInt(width)));
      from = numbers.end();
    }
    pieces.add(new Piece(text.substring(from), "", 0));
  }

  /** Fills in the numbers; UTF-8. */
  public byte[] fill(int machine, int metric, long generation) {
    StringBuilder filled = new StringBuilder(text.length() + 8);
    for (Piece piece : pieces) {
      filled.append(piece.before);
      switch (piece.number) {
        case "machine" -> append(filled, machine, piece.width);
        case "metric" -> append(filled, metric, piece.width);
        case "generation" -> append(filled, generation, piece.width);
        default -> {} // the last piece: text only
      }
    }
    return filled.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void append(StringBuilder to, long number, int width) {
    String digits = Long.toString(number);
    to.append("0".repeat(Math.max(0, width - digits.length()))).append(digits);
  }

  @Override
  public String toString() {
    return text;
  }

  /** A placeholder with its minimum width, and the text before it. */
  private record Piece(String before, String number, int width) {}
}
