package dev.rondo.tools.replay;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PartitionOffsets;
import dev.rondo.topology.settings.Nearest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

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
    return new ReplayRequest(
        topics,
        OptionalLong.empty(),
        PartitionOffsets.parse(offsets, "--offsets"),
        "--offsets " + offsets);
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
