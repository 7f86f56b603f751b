package dev.rondo.tools.command;

import java.util.Map;
import java.util.TreeMap;

/** Parses offsets of the form {@code PARTITION:OFFSET,…}. */
public final class PartitionOffsets {
  private PartitionOffsets() {}

  /**
   * Parses offsets by partition.
   *
   * @param option name of the option, for the error text
   * @throws CommandException if the text has another form
   */
  public static Map<Integer, Long> parse(String text, String option) {
    Map<Integer, Long> offsets = new TreeMap<>();
    for (String pair : text.split(",", -1)) {
      String[] parts = pair.strip().split(":", -1);
      try {
        if (parts.length == 2) {
          int partition = Integer.parseUnsignedInt(parts[0]);
          if (offsets.put(partition, Long.parseUnsignedLong(parts[1])) != null) {
            throw CommandException.misuse(
                "partition %d occurs twice (%s)".formatted(partition, option));
          }
          continue;
        }
      } catch (NumberFormatException e) {
        // reported below, like any text that is not a pair of numbers
      }
      throw CommandException.misuse(
          "'%s' is not PARTITION:OFFSET, such as 0:1200,1:1185 (%s)".formatted(pair, option));
    }
    return offsets;
  }
}
