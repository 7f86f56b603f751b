package dev.rondo.tools.deadletters;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads {@code rondo.dead-letters}, as {@link TopicReader} does. */
final class DeadLetterReader implements AutoCloseable {
  private final TopicReader reader;

  /**
   * @throws CommandException where there is no such topic
   */
  DeadLetterReader(TopologyConfig config) {
    reader = new TopicReader(config, Topics.DEAD_LETTERS.name());
  }

  Map<Integer, Long> begins() {
    return reader.begins();
  }

  Map<Integer, Long> ends() {
    return reader.ends();
  }

  /** Where to begin for what {@code filter} means. */
  Map<Integer, Long> begins(DeadLetterFilter filter) {
    return filter.fromMs().isEmpty() ? reader.begins() : reader.begins(filter.fromMs().getAsLong());
  }

  /** Hands over the records from {@code from} to before {@code to}, in order a partition. */
  void read(
      Map<Integer, Long> from,
      Map<Integer, Long> to,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    reader.read(from, to, sink);
  }

  /** The letters at these places, in this order, without those that are no more. */
  List<DeadLetter> read(List<DeadLetterOffset> places) {
    Map<Integer, Map<Long, DeadLetter>> found = new HashMap<>();
    Map<Integer, Long> from = new HashMap<>();
    Map<Integer, Long> to = new HashMap<>();
    for (DeadLetterOffset place : places) {
      found.computeIfAbsent(place.partition(), p -> new HashMap<>()).put(place.offset(), null);
      from.merge(place.partition(), place.offset(), Math::min);
      to.merge(place.partition(), place.offset() + 1, Math::max);
    }
    read(
        from,
        to,
        record -> {
          Map<Long, DeadLetter> wanted = found.get(record.partition());
          if (wanted.containsKey(record.offset())) {
            DeadLetter.of(record).ifPresent(letter -> wanted.put(record.offset(), letter));
          }
        });
    return places.stream()
        .map(place -> found.get(place.partition()).get(place.offset()))
        .filter(Objects::nonNull) // retention may have just deleted it
        .toList();
  }

  @Override
  public void close() {
    reader.close();
  }
}
