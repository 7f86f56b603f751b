package dev.rondo.history.replay;

import dev.rondo.connection.settings.Nearest;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PartitionOffsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A replay as the user requested it.
 *
 * @param topics source topics to replay
 * @param fromMs slots that end after this time become complete; empty if offsets are given
 * @param offsets by partition of the only topic; empty if not given
 * @param option the option as the user gave it
 */
record ReplayRequest(
    List<String> topics, OptionalLong fromMs, Map<Integer, Long> offsets, String option) {

  static ReplayRequest from(List<String> topics, long fromMs, String option) {
    return new ReplayRequest(topics, OptionalLong.of(fromMs), Map.of(), option);
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
          "--offsets needs exactly one topic, but there are %d: %s (--topic)"
              .formatted(topics.size(), String.join(", ", topics)));
    }
    return new ReplayRequest(
        topics,
        OptionalLong.empty(),
        PartitionOffsets.parse(offsets, "--offsets"),
        "--offsets " + offsets);
  }

  /** Rejects a topic that the topology does not read. */
  void check(List<String> sources) {
    for (String topic : topics) {
      if (!sources.contains(topic)) {
        throw CommandException.misuse(
            "topic '%s' is not one of the sources %s: did you mean '%s'? (--topic)"
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
