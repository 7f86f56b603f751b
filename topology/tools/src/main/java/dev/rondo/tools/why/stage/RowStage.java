package dev.rondo.tools.why.stage;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.why.facts.Facts.Emitted;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Place;
import dev.rondo.tools.why.facts.Facts.Slot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The newest rows of {@code rondo.bundle-rows} that have a value of the series. */
public final class RowStage {
  private final Topic<BundleRowKey, BundleRow> topic;
  private final Location location;

  /** By step and function. */
  private final Map<String, Slot> slots = new TreeMap<>();

  private int records;

  private RowStage(Topic<BundleRowKey, BundleRow> topic, Location location) {
    this.topic = topic;
    this.location = location;
  }

  /**
   * Reads the newest rows of the partition of a segment.
   *
   * @param location null: nothing is looked for
   * @param most rows of its partition to look at
   */
  public static Emitted read(Cluster cluster, Location location, int most)
      throws InterruptedException {
    if (location == null) {
      return new Emitted(null, 0, List.of());
    }
    var stage = new RowStage(cluster.config().topic(Topics.BUNDLE_ROWS), location);
    return Attempt.of(() -> stage.scan(cluster, most), error -> new Emitted(error, 0, List.of()));
  }

  /** The partition that has the rows of a segment. */
  static List<TopicPartition> partition(Cluster cluster, String topic, int segment) {
    List<TopicPartition> partitions = cluster.partitions(topic);
    return partitions.isEmpty()
        ? List.of()
        : List.of(partitions.get(SegmentNumber.partition(segment) % partitions.size()));
  }

  private Emitted scan(Cluster cluster, int most) {
    cluster.newest(
        partition(cluster, topic.name(), location.segment()), most, Cluster.PATIENCE, this::look);
    return new Emitted(null, records, List.copyOf(slots.values()));
  }

  private void look(ConsumerRecord<byte[], byte[]> record) {
    records++;
    BundleRowKey key = topic.keySerde().deserializer().deserialize(topic.name(), record.key());
    if (key.getSeg() != location.segment() || !key.getPolicy().equals(location.policy())) {
      return;
    }
    BundleRow row = topic.valueSerde().deserializer().deserialize(topic.name(), record.value());
    int at = location.position() - 1;
    if (at >= row.getDp().size() || Double.isNaN(row.getDp().get(at))) {
      return;
    }
    Slot slot =
        new Slot(
            row.getCf(),
            row.getStepMs(),
            row.getT(),
            row.getDp().get(at),
            new Place(record.topic(), record.partition(), record.offset()),
            record.timestamp());
    slots.merge(
        "%015d %s".formatted(slot.stepMs(), slot.function()),
        slot,
        (before, now) -> now.endMs() >= before.endMs() ? now : before);
  }
}
