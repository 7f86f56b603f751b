package dev.rondo.topology.locations;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.consolidate.SeriesLocations;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes {@code rondo.series} and reports each series that appears in a second partition, as a
 * metric and in the log. That happens if a source is declared keyed but is not, or if {@code keyed}
 * of a source was changed.
 */
public final class SeriesLocationConsumer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesLocationConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** How long the broker may wait for more entries: nobody waits for these warnings. */
  private static final int FETCH_WAIT_MS = 500;

  private static final long RETRY_MS = 1_000;
  private static final long CLOSE_TIMEOUT_MS = 5_000;

  private final Map<String, Object> reader;
  private final KnownLocations locations = new KnownLocations();
  private final DuplicateSeriesDetector detector;
  private final Thread thread = new Thread(this::run, "series-locations");
  private volatile boolean isClosed;

  SeriesLocationConsumer(Map<String, Object> reader, MeterRegistry registry, Consumer<String> log) {
    this.reader = reader;
    this.detector =
        new DuplicateSeriesDetector(
            Counter.builder("rondo.series.in.two.partitions")
                .description(
                    "Series that appeared in a second partition: their source is not keyed as declared, or its"
                        + " keyed was changed")
                .register(registry),
            log);
    thread.setDaemon(true);
  }

  /**
   * Starts to consume, from the beginning of the topic.
   *
   * @param reader properties of a consumer without a group
   */
  public static SeriesLocationConsumer start(Map<String, Object> reader, MeterRegistry registry) {
    Map<String, Object> rarely = new HashMap<>(reader);
    rarely.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    SeriesLocationConsumer consumer =
        new SeriesLocationConsumer(rarely, registry, line -> LOG.warn("{}", line));
    consumer.start();
    return consumer;
  }

  void start() {
    thread.start();
  }

  /** The locations that are known so far. */
  public SeriesLocations locations() {
    return locations;
  }

  private void run() {
    while (!isClosed) {
      try (KafkaConsumer<String, SeriesEntry> consumer =
          new KafkaConsumer<>(
              reader,
              Topics.SERIES.keySerde().deserializer(),
              Topics.SERIES.valueSerde().deserializer())) {
        consume(consumer);
      } catch (InterruptException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("Failed to consume {}; retrying in {} ms", Topics.SERIES.name(), RETRY_MS, e);
        pause();
      }
    }
  }

  private void consume(KafkaConsumer<String, SeriesEntry> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.SERIES.name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (!isClosed) {
      for (ConsumerRecord<String, SeriesEntry> entry : consumer.poll(POLL)) {
        update(entry.key(), entry.value());
      }
      if (!locations.isKnown()
          && partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p))) {
        locations.markKnown();
      }
      detector.log(System.currentTimeMillis());
    }
  }

  private void update(String ident, SeriesEntry entry) {
    if (entry == null) {
      locations.remove(ident);
      return;
    }
    int partition = SegmentNumber.partition(entry.getSeg());
    int other = locations.put(ident, partition);
    if (other >= 0) {
      detector.add(ident, other, partition);
    }
  }

  private void pause() {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      isClosed = true;
    }
  }

  /** Stops the thread; waits at most five seconds. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(CLOSE_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
