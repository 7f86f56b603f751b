package dev.rondo.topology.locations;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.SeriesLocations;
import dev.rondo.topology.topics.TopicFollower;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes {@code rondo.series}, and counts and logs series that appear in a second partition. That
 * happens if a source is declared keyed but is not, or if its {@code keyed} was changed.
 */
public final class SeriesLocationConsumer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesLocationConsumer.class);

  private final KnownLocations locations = new KnownLocations();
  private final DuplicateSeriesDetector detector;
  private final TopicFollower<String, SeriesEntry> follower;

  SeriesLocationConsumer(
      Map<String, Object> reader,
      Admin admin,
      Topic<String, SeriesEntry> topic,
      MeterRegistry registry,
      Consumer<String> log) {
    this.follower = new TopicFollower<>(reader, admin, topic, this::update, this::polled);
    this.detector =
        new DuplicateSeriesDetector(
            Counter.builder("rondo.series.in.two.partitions")
                .description(
                    "Series that appeared in a second partition: their source is not keyed as declared, or its"
                        + " keyed was changed")
                .register(registry),
            log);
  }

  /**
   * Starts consuming from the beginning of the topic.
   *
   * @param admin client that stays open until this is closed
   */
  public static SeriesLocationConsumer start(
      TopologyConfig config, Admin admin, MeterRegistry registry) {
    SeriesLocationConsumer consumer =
        new SeriesLocationConsumer(
            config.reader(),
            admin,
            config.topic(Topics.SERIES),
            registry,
            line -> LOG.warn("{}", line));
    consumer.start();
    return consumer;
  }

  void start() {
    follower.start();
  }

  /** Returns the locations read so far; they are updated. */
  public SeriesLocations locations() {
    return locations;
  }

  private void polled(boolean isRead) {
    if (isRead && !locations.isKnown()) {
      locations.markKnown();
    }
    detector.log(System.currentTimeMillis());
  }

  private void update(String ident, SeriesEntry entry) {
    if (entry == null || !entry.getRenamedTo().isEmpty()) {
      locations.remove(ident);
      return;
    }
    int partition = SegmentNumber.partition(entry.getSeg());
    int other = locations.put(ident, partition);
    if (other >= 0) {
      detector.add(ident, other, partition);
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
