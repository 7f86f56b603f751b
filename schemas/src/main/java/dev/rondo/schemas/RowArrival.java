package dev.rondo.schemas;

import java.util.Optional;

/**
 * Header of a bundle row: when and in which topic the point of its first value arrived in Kafka.
 * The text is the time, a space and the topic: {@code 1700000010123 points}. A row that no point
 * triggered has no header.
 *
 * @param atMs epoch ms
 * @param source topic of the point
 */
public record RowArrival(long atMs, String source) {

  public static final String HEADER = "rondo.arrived";

  public String toText() {
    return atMs + " " + source;
  }

  /** Parses the text; empty if it is invalid. */
  public static Optional<RowArrival> parse(String text) {
    int space = text.indexOf(' ');
    try {
      return space < 1
          ? Optional.empty()
          : Optional.of(
              new RowArrival(Long.parseLong(text.substring(0, space)), text.substring(space + 1)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
