package dev.rondo.history.replay;

import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.tools.command.CommandException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks offsets from the user: Kafka must hold them, and they must not be ahead of the topology.
 */
final class OffsetsCheck {
  private OffsetsCheck() {}

  /**
   * @throws CommandException that names the first wrong offset
   */
  static void check(ReplayRequest request, List<SourceOffset> sourceOffsets) {
    Map<Integer, SourceOffset> known =
        sourceOffsets.stream()
            .filter(source -> request.topics().contains(source.partition().topic()))
            .collect(Collectors.toMap(p -> p.partition().partition(), p -> p, (a, b) -> a));
    request.offsets().forEach((partition, offset) -> check(request, partition, offset, known));
  }

  private static void check(
      ReplayRequest request, int partition, long offset, Map<Integer, SourceOffset> known) {
    String topic = request.topics().get(0);
    SourceOffset source = known.get(partition);
    if (source == null) {
      throw CommandException.misuse(
          "topic '%s' has no partition %d, only 0 to %d (--offsets)"
              .formatted(topic, partition, known.size() - 1));
    }
    if (offset < source.beginning() || offset > source.end()) {
      throw CommandException.misuse(
          ("offset %d of partition %d of topic '%s' is not within %d to %d, the offsets that Kafka"
                  + " holds (--offsets)")
              .formatted(offset, partition, topic, source.beginning(), source.end()));
    }
    if (offset > source.next()) {
      throw CommandException.misuse(
          ("offset %d of partition %d of topic '%s' is ahead of the topology at %d: the records"
                  + " between would never be read (--offsets)")
              .formatted(offset, partition, topic, source.next()));
    }
  }
}
