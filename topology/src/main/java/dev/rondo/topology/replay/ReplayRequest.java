package dev.rondo.topology.replay;

import dev.rondo.topology.command.CommandException;
import dev.rondo.topology.settings.Nearest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What is to be read again, as it was asked.
 *
 * @param topics those of the sources that are meant
 * @param fromMs slots that end after this time come out whole; empty where offsets are given
 * @param offsets by partition of the only topic, where they are given
 * @param asked the option, as it was typed
 */
record ReplayRequest(
    List<String> topics, OptionalLong fromMs, Map<Integer, Long> offsets, String asked) {

  static ReplayRequest from(List<String> topics, long fromMs, String asked) {
    return new ReplayRequest(topics, OptionalLong.of(fromMs), Map.of(), asked);
  }

  static ReplayRequest toEarliest(List<String> topics) {
    return new ReplayRequest(topics, OptionalLong.empty(), Map.of(), "--to-earliest");
  }

  /**
   * @param offsets {@code PARTITION:OFFSET,…}
   */
  static ReplayRequest offsets(List<String> topics, String offsets) {
    if (topics.size() > 1) {
      throw CommandException.misuse(
          "--offsets are those of one topic, but there are %d: %s (--topic)"
              .formatted(topics.size(), String.join(", ", topics)));
    }
    return new ReplayRequest(topics, OptionalLong.empty(), parse(offsets), "--offsets " + offsets);
  }

  private static Map<Integer, Long> parse(String text) {
    Map<Integer, Long> offsets = new TreeMap<>();
    for (String pair : text.split(",", -1)) {
      String[] parts = pair.strip().split(":", -1);
      try {
        if (parts.length == 2) {
          int partition = Integer.parseUnsignedInt(parts[0]);
          if (offsets.put(partition, Long.parseUnsignedLong(parts[1])) != null) {
            throw CommandException.misuse(
                "partition %d is there twice (--offsets)".formatted(partition));
          }
          continue;
        }
      } catch (NumberFormatException e) {
        // told below, as anything else that is not a pair of numbers
      }
      throw CommandException.misuse(
          "'%s' is not PARTITION:OFFSET, such as 0:1200,1:1185 (--offsets)".formatted(pair));
    }
    return offsets;
  }

  /** Refuses a topic that the topology does not read. */
  void check(List<String> sources) {
    for (String topic : topics) {
      if (!sources.contains(topic)) {
        throw CommandException.misuse(
            "topic '%s' is none of the sources %s: did you mean '%s'? (--topic)"
                .formatted(topic, sources, Nearest.to(topic, sources)));
      }
    }
  }

  boolean isFrom() {
    return fromMs.isPresent();
  }

  boolean isOffsets() {
    return !offsets.isEmpty();
  }
}
