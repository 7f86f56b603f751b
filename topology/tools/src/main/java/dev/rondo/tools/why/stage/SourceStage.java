package dev.rondo.tools.why.stage;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.record.SeenDefinitions;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.tools.why.facts.Facts.Place;
import dev.rondo.tools.why.facts.Facts.Sample;
import dev.rondo.tools.why.facts.Facts.Sent;
import dev.rondo.topology.decode.PointValidator;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.decode.SeriesPartition;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.topics.RecordTimeBound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The series in the newest records of its source, decoded as the topology does. */
public final class SourceStage {
  private static final int MOST_TIMES = 1000;

  private final Cluster cluster;
  private final String ident;
  private final PointValidator validator;
  private final List<String> topics = new ArrayList<>();
  private final Map<TopicPartition, Decoder> decoders = new HashMap<>();
  private final TreeSet<Long> times = new TreeSet<>();
  private final TreeSet<Integer> tasks = new TreeSet<>();
  private int records;
  private Long oldestMs;
  private int points;
  private Sample newest;
  private Sample rejected;
  private int unreadable;
  private Sample unreadablePiece;

  /** Whether the piece names the series. */
  private boolean isPieceNamed;

  private SourceStage(Cluster cluster, String ident) throws InterruptedException {
    this.cluster = cluster;
    this.ident = ident;
    this.validator = new PointValidator(cluster.timeLimits());
  }

  /**
   * Reads the topic that has made the series; the others only if it is not there.
   *
   * @param most records of a partition
   */
  public static Sent read(Cluster cluster, String ident, Name name, int most)
      throws InterruptedException {
    var stage = new SourceStage(cluster, ident);
    return Attempt.of(() -> stage.scan(name, most), Sent::failed);
  }

  private Sent scan(Name name, int most) throws ExecutionException, InterruptedException {
    List<Source> all = cluster.config().sources(cluster.admin());
    List<Source> own = all.stream().filter(source -> source.topic().equals(name.source())).toList();
    scan(own, most);
    if (points == 0 && rejected == null) {
      scan(all.stream().filter(source -> !own.contains(source)).toList(), most);
    }
    return new Sent(
        null,
        topics,
        records,
        oldestMs,
        points,
        newest,
        intervalMs(),
        List.copyOf(tasks),
        rejected,
        unreadable,
        unreadablePiece,
        newest == null
            ? null
            : RecordTimeBound.weakness(cluster.admin(), cluster.config(), newest.place().topic())
                .orElse(null));
  }

  /** Leaves topics out once it has taken too long. */
  private void scan(List<Source> sources, int most) {
    long deadline = System.nanoTime() + Cluster.PATIENCE.toNanos();
    for (Source source : sources) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (!left.isNegative()) {
        topics.add(source.topic());
        cluster.newest(
            cluster.partitions(source.topic()), most, left, record -> decode(source, record));
      }
    }
  }

  private void decode(Source source, ConsumerRecord<byte[], byte[]> record) {
    long writtenMs = RecordTime.of(record, System.currentTimeMillis());
    records++;
    oldestMs = oldestMs == null ? writtenMs : Math.min(oldestMs, writtenMs);
    Decoder decoder =
        decoders.computeIfAbsent(
            new TopicPartition(record.topic(), record.partition()), partition -> decoder(source));
    validator.validate(
        decoder,
        source.policy(),
        record.value(),
        record.headers(),
        writtenMs,
        new Found(source, record, writtenMs));
  }

  static Decoder decoder(Source source) {
    return source.format().needsDefinitions()
        ? source.decoder(new SeenDefinitions())
        : source.decoder();
  }

  /** Median of the times between points. */
  private Long intervalMs() {
    List<Long> intervals = new ArrayList<>();
    Long before = null;
    for (long tMs : times) {
      if (before != null) {
        intervals.add(tMs - before);
      }
      before = tMs;
    }
    intervals.sort(null);
    return intervals.isEmpty() ? null : intervals.get(intervals.size() / 2);
  }

  /** What one record has. */
  private final class Found implements PointValidator.Outcome {
    private final Source source;
    private final ConsumerRecord<byte[], byte[]> record;
    private final long writtenMs;

    Found(Source source, ConsumerRecord<byte[], byte[]> record, long writtenMs) {
      this.source = source;
      this.record = record;
      this.writtenMs = writtenMs;
    }

    @Override
    public void point(String found, long tMs, double value) {
      if (!found.equals(ident)) {
        return;
      }
      points++;
      int partitions = cluster.config().getInt("partitions");
      tasks.add(source.isKeyed() ? record.partition() : SeriesPartition.of(ident, partitions));
      times.add(tMs);
      if (times.size() > MOST_TIMES) {
        times.pollFirst();
      }
      if (newest == null || isLater(tMs)) {
        newest = sample(tMs, value, null, null);
      }
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {}

    private boolean isLater(long tMs) {
      return writtenMs > newest.writtenMs()
          || (writtenMs == newest.writtenMs() && tMs >= newest.tMs());
    }

    @Override
    public void reject(DropReason reason, String found, long tMs, String detail, int from, int to) {
      if (found.equals(ident) && (rejected == null || writtenMs >= rejected.writtenMs())) {
        rejected = sample(tMs, null, reason, detail);
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      unreadable++;
      boolean isNamed = detail.contains(ident.split(";", 2)[0]);
      if (unreadablePiece == null || (isNamed && !isPieceNamed)) {
        unreadablePiece = sample(null, null, reason, detail);
        isPieceNamed = isNamed;
      }
    }

    private Sample sample(Long tMs, Double value, DropReason reason, String detail) {
      Format format =
          source.format() == Format.AUTO && record.value() != null
              ? Format.recognised(record.value())
              : source.format();
      return new Sample(
          new Place(record.topic(), record.partition(), record.offset()),
          writtenMs,
          format.key(),
          tMs,
          value,
          reason == null ? null : reason.key(),
          detail);
    }
  }
}
