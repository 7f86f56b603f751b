package dev.rondo.tools.command;

import java.util.Map;
import java.util.TreeMap;

/** Offsets as people give them: {@code PARTITION:OFFSET,…}. */
public final class PartitionOffsets {
  private PartitionOffsets() {}

  /**
   * Offsets by partition.
   *
   * @param option that gives them, for the error text
   * @throws CommandException where they are not of this form
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
                "partition %d is there twice (%s)".formatted(partition, option));
          }
          continue;
        }
      } catch (NumberFormatException e) {
        // told below, as anything else that is not a pair of numbers
      }
      throw CommandException.misuse(
          "'%s' is not PARTITION:OFFSET, such as 0:1200,1:1185 (%s)".formatted(pair, option));
    }
    return offsets;
  }
}
