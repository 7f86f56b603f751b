package dev.rondo.tools.replay;

import dev.rondo.tools.command.CommandException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Offsets that were given by hand must be there, and behind where the topology is. */
final class OffsetsCheck {
  private OffsetsCheck() {}

  /**
   * @throws CommandException naming the first that is not
   */
  static void check(ReplayRequest request, List<SourceOffset> positions) {
    Map<Integer, SourceOffset> known =
        positions.stream()
            .filter(position -> request.topics().contains(position.partition().topic()))
            .collect(Collectors.toMap(p -> p.partition().partition(), p -> p, (a, b) -> a));
    request.offsets().forEach((partition, offset) -> check(request, partition, offset, known));
  }

  private static void check(
      ReplayRequest request, int partition, long offset, Map<Integer, SourceOffset> known) {
    String topic = request.topics().get(0);
    SourceOffset position = known.get(partition);
    if (position == null) {
      throw CommandException.misuse(
          "topic '%s' has no partition %d, only 0 to %d (--offsets)"
              .formatted(topic, partition, known.size() - 1));
    }
    if (offset < position.beginning() || offset > position.end()) {
      throw CommandException.misuse(
          ("offset %d of partition %d of topic '%s' is not within %d to %d, which is what Kafka holds"
                  + " (--offsets)")
              .formatted(offset, partition, topic, position.beginning(), position.end()));
    }
    if (offset > position.next()) {
      throw CommandException.misuse(
          ("offset %d of partition %d of topic '%s' is beyond %d, where the topology is: records"
                  + " between would never be read (--offsets)")
              .formatted(offset, partition, topic, position.next()));
    }
  }
}
