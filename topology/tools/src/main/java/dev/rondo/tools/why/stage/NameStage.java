package dev.rondo.tools.why.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.connection.settings.Nearest;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.tools.why.facts.Facts.Place;
import dev.rondo.tools.why.facts.Facts.State;
import dev.rondo.topology.decode.SeriesPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** What {@code rondo.series} and {@code rondo.series-requests} say of the ident. */
public final class NameStage {
  /** For the partition of the ident, which has a part of all series. */
  private static final Duration LONGEST_READ = Duration.ofMinutes(1);

  private static final int NEAREST = 3;
  private static final int MOST_COMPARED = 100_000;
  private static final long NEWEST_REQUESTS = 10_000;

  private NameStage() {}

  public static Name read(Cluster cluster, String ident) throws InterruptedException {
    return Attempt.of(() -> entry(cluster, ident), Name::failed);
  }

  private static Name entry(Cluster cluster, String ident) {
    Topic<String, SeriesEntry> topic = cluster.config().topic(Topics.SERIES);
    List<TopicPartition> partitions = cluster.partitions(topic.name());
    if (partitions.isEmpty()) {
      return unknown(List.of());
    }
    byte[] key = ident.getBytes(UTF_8);
    List<ConsumerRecord<byte[], byte[]>> entries = new ArrayList<>();
    cluster.all(
        List.of(partitions.get(SeriesPartition.of(ident, partitions.size()))),
        LONGEST_READ,
        record -> {
          if (Arrays.equals(record.key(), key)) {
            entries.add(record);
          }
        });
    if (entries.isEmpty()) {
      return deletion(cluster, ident, unknown(nearest(cluster, partitions, ident)), entries);
    }
    return deletion(cluster, ident, of(topic, entries.get(entries.size() - 1)), entries);
  }

  private static Name unknown(List<String> nearest) {
    return new Name(null, State.UNKNOWN, null, null, null, null, null, null, null, nearest);
  }

  private static Name of(Topic<String, SeriesEntry> topic, ConsumerRecord<byte[], byte[]> last) {
    Place place = new Place(last.topic(), last.partition(), last.offset());
    if (last.value() == null) {
      return new Name(
          null, State.GONE, null, null, place, last.timestamp(), null, null, null, List.of());
    }
    SeriesEntry entry = topic.valueSerde().deserializer().deserialize(topic.name(), last.value());
    boolean isRenamed = !entry.getRenamedTo().isEmpty();
    return new Name(
        null,
        isRenamed ? State.RENAMED : State.KNOWN,
        new Location(entry.getPolicy(), entry.getSeg(), entry.getPos(), entry.getStartsAt()),
        entry.getSource().isEmpty() ? null : entry.getSource(),
        place,
        isRenamed ? entry.getRenamedAt() : last.timestamp(),
        isRenamed ? entry.getRenamedTo() : null,
        null,
        null,
        List.of());
  }

  /** Adds who has asked to delete a series that is not there since. */
  private static Name deletion(
      Cluster cluster, String ident, Name name, List<ConsumerRecord<byte[], byte[]>> entries) {
    if (name.state() == State.KNOWN || name.state() == State.RENAMED) {
      return name;
    }
    List<SeriesRequest> requests = new ArrayList<>();
    cluster.newest(
        cluster.partitions(cluster.config().topic(Topics.SERIES_REQUESTS).name()),
        NEWEST_REQUESTS,
        Cluster.PATIENCE,
        record -> {
          deletion(record).filter(request -> names(request, ident)).ifPresent(requests::add);
        });
    if (requests.isEmpty()) {
      return name;
    }
    SeriesRequest last = requests.get(requests.size() - 1);
    if (cameBack(entries, last.getAt())) {
      return name;
    }
    return new Name(
        null,
        name.state(),
        null,
        null,
        name.place(),
        name.atMs(),
        null,
        last.getBy(),
        last.getAt(),
        name.nearest());
  }

  /**
   * Whether a later point has brought the series back after it was deleted: it has left again
   * since, without a request.
   *
   * @param entries of the series, in order
   */
  static boolean cameBack(List<ConsumerRecord<byte[], byte[]>> entries, long requestedMs) {
    return entries.stream()
        .dropWhile(entry -> entry.value() != null || entry.timestamp() < requestedMs)
        .anyMatch(entry -> entry.value() != null);
  }

  private static Optional<SeriesRequest> deletion(ConsumerRecord<byte[], byte[]> record) {
    return Optional.ofNullable(record.value())
        .flatMap(json -> RequestJson.read(new String(json, UTF_8), record.timestamp()))
        .filter(request -> request.getRequest() instanceof DeleteSeries);
  }

  private static boolean names(SeriesRequest deletion, String ident) {
    return ((DeleteSeries) deletion.getRequest()).getIdents().contains(ident);
  }

  private static List<String> nearest(
      Cluster cluster, List<TopicPartition> partitions, String ident) {
    Set<String> known = new HashSet<>();
    cluster.newest(
        partitions,
        MOST_COMPARED,
        Cluster.PATIENCE,
        record -> {
          String one = new String(record.key(), UTF_8);
          if (record.value() == null) {
            known.remove(one);
          } else if (known.size() < MOST_COMPARED) {
            known.add(one);
          }
        });
    List<String> nearest = new ArrayList<>();
    while (nearest.size() < NEAREST && !known.isEmpty()) {
      String next = Nearest.to(ident, known);
      nearest.add(next);
      known.remove(next);
    }
    return nearest;
  }
}
