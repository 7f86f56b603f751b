package dev.rondo.tools.deadletters.read;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandProgress;
import dev.rondo.topology.config.TopologyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads {@code rondo.dead-letters}, as {@link OffsetRangeReader} does. */
public final class DeadLetterReader implements AutoCloseable {
  private final OffsetRangeReader reader;

  /**
   * @throws CommandException if the topic does not exist
   */
  public DeadLetterReader(TopologyConfig config) {
    reader = new OffsetRangeReader(config, config.topic(Topics.DEAD_LETTERS).name());
  }

  public Map<Integer, Long> begins() {
    return reader.begins();
  }

  public Map<Integer, Long> ends() {
    return reader.ends();
  }

  /** First offsets to read for {@code filter}. */
  public Map<Integer, Long> begins(DeadLetterFilter filter) {
    return filter.fromMs().isEmpty() ? reader.begins() : reader.begins(filter.fromMs().getAsLong());
  }

  /**
   * Passes all records that may match {@code filter} to {@code sink}, in order within a partition,
   * and shows the progress.
   */
  public void read(DeadLetterFilter filter, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<Integer, Long> from = begins(filter);
    Map<Integer, Long> to = ends();
    long records = from.keySet().stream().mapToLong(p -> to.get(p) - from.get(p)).sum();
    try (var progress = new CommandProgress("reading", "records", records)) {
      read(
          from,
          to,
          record -> {
            progress.step();
            sink.accept(record);
          });
    }
  }

  /**
   * Passes the records from {@code from} to before {@code to} to {@code sink}, in order within a
   * partition.
   */
  public void read(
      Map<Integer, Long> from,
      Map<Integer, Long> to,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    reader.read(from, to, sink);
  }

  /**
   * Reads the dead letters at these locations, in this order; skips those that retention has
   * deleted.
   */
  public List<DeadLetter> read(List<DeadLetterLocation> locations) {
    Map<Integer, Map<Long, DeadLetter>> found = new HashMap<>();
    Map<Integer, Long> from = new HashMap<>();
    Map<Integer, Long> to = new HashMap<>();
    for (DeadLetterLocation location : locations) {
      found
          .computeIfAbsent(location.partition(), p -> new HashMap<>())
          .put(location.offset(), null);
      from.merge(location.partition(), location.offset(), Math::min);
      to.merge(location.partition(), location.offset() + 1, Math::max);
    }
    read(
        from,
        to,
        record -> {
          Map<Long, DeadLetter> wanted = found.get(record.partition());
          if (wanted.containsKey(record.offset())) {
            DeadLetter.of(record).ifPresent(deadLetter -> wanted.put(record.offset(), deadLetter));
          }
        });
    return locations.stream()
        .map(location -> found.get(location.partition()).get(location.offset()))
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public void close() {
    reader.close();
  }
}
