package dev.rondo.schemas;

import java.util.Optional;

/**
 * Header of a bundle row: when the point that set its first value arrived in Kafka, and where. The
 * text is the time, a space and the topic, {@code 1700000010123 points}. A row that only time has
 * made has none.
 *
 * @param atMs epoch ms
 * @param source topic of the point
 */
public record RowArrival(long atMs, String source) {
  /** Name of the header. */
  public static final String HEADER = "rondo.arrived";

  /** Its text. */
  public String toText() {
    return atMs + " " + source;
  }

  /** Reads the text; empty if it is another one. */
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
