package dev.rondo.topology.locations;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.consolidate.SeriesLocations;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code rondo.series} and tells of each series that comes to live in a second partition: a
 * source is declared keyed that is not, or was so later than others wrote the series, or is so no
 * longer. Counted, and named in the log.
 */
public final class SeriesLocationConsumer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesLocationConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 1_000;
  private static final long CLOSE_MS = 5_000;

  private final Map<String, Object> reader;
  private final KnownLocations places = new KnownLocations();
  private final DuplicateSeriesDetector twice;
  private final Thread thread = new Thread(this::follow, "series-places");
  private volatile boolean isClosed;

  SeriesLocationConsumer(Map<String, Object> reader, MeterRegistry registry, Consumer<String> log) {
    this.reader = reader;
    this.twice =
        new DuplicateSeriesDetector(
            Counter.builder("rondo.series.in.two.partitions")
                .description("Series that came to live in a second partition")
                .register(registry),
            log);
    thread.setDaemon(true);
  }

  /**
   * Follows from now on, beginning with what the topic holds.
   *
   * @param reader properties of a consumer outside any group
   */
  public static SeriesLocationConsumer start(Map<String, Object> reader, MeterRegistry registry) {
    SeriesLocationConsumer watch =
        new SeriesLocationConsumer(reader, registry, line -> LOG.warn("{}", line));
    watch.start();
    return watch;
  }

  void start() {
    thread.start();
  }

  /** What is known so far. */
  public SeriesLocations places() {
    return places;
  }

  private void follow() {
    while (!isClosed) {
      try (KafkaConsumer<String, SeriesEntry> consumer =
          new KafkaConsumer<>(
              reader,
              Topics.SERIES.keySerde().deserializer(),
              Topics.SERIES.valueSerde().deserializer())) {
        follow(consumer);
      } catch (InterruptException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("rondo.series cannot be followed for now", e);
        pause();
      }
    }
  }

  private void follow(KafkaConsumer<String, SeriesEntry> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.SERIES.name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (!isClosed) {
      for (ConsumerRecord<String, SeriesEntry> entry : consumer.poll(POLL)) {
        see(entry.key(), entry.value());
      }
      if (!places.isKnown()
          && partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p))) {
        places.becomeKnown();
      }
      twice.emit(System.currentTimeMillis());
    }
  }

  private void see(String ident, SeriesEntry entry) {
    if (entry == null) {
      places.remove(ident);
      return;
    }
    int partition = SegmentNumber.partition(entry.getSeg());
    int other = places.put(ident, partition);
    if (other >= 0) {
      twice.see(ident, other, partition);
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      isClosed = true;
    }
  }

  /** Ends within some seconds. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
