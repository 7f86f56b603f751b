package dev.rondo.topology.lag;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * How late points are in this instance: for each {@link Stage} a histogram of the points that have
 * reached it, and the age of the oldest that waits for it. Ages count from the arrival in Kafka
 * ({@link EndHistory}).
 *
 * <pre>
 *   end of the log ── waits for FETCHED ── position ── for DECODED ── decoded ── … ── for SENT ──
 * </pre>
 *
 * <p>A waiting point is tracked by its arrival, so its age grows even while the thread that should
 * process it hangs. Safe to share between threads.
 */
public final class Lag {
  /** Sources beyond this number share a label, as a pattern may match any number of topics. */
  static final int MAX_SOURCES = 100;

  /** Label of the sources beyond {@link #MAX_SOURCES}. */
  static final String OTHERS = "(others)";

  /** A stage and the label of a source. */
  record Key(Stage stage, String source) {}

  /** The last decoded record of a partition; its timestamp is epoch ms. */
  private record Decoded(long offset, long recordMs) {}

  /**
   * Points that have reached a stage so far.
   *
   * @param seconds sum of their lags
   */
  public record Totals(long points, double seconds) {
    public static final Totals NONE = new Totals(0, 0);

    /** Returns the difference from earlier totals. */
    public Totals minus(Totals before) {
      return new Totals(points - before.points, seconds - before.seconds);
    }
  }

  private final InstantSource clock;
  private final Map<TopicPartition, EndHistory> ends = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Decoded> decoded = new ConcurrentHashMap<>();
  private final Map<String, String> labels = new ConcurrentHashMap<>();
  private final Map<Key, LagHistogram> reached = new ConcurrentHashMap<>();
  private final Set<Fetched> consumers = ConcurrentHashMap.newKeySet();
  private final Set<TaskLag> tasks = ConcurrentHashMap.newKeySet();
  private volatile String bySeries = "";

  /**
   * @param clock wall clock
   */
  public Lag(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Sets the name of the by-series topic, whose records reach {@link Stage#RECEIVED} when they are
   * read.
   */
  public void bySeries(String topic) {
    bySeries = topic;
  }

  /**
   * Adds a sample of the end offsets of partitions.
   *
   * @param requestedMs time before the broker determined the ends, epoch ms
   */
  public void see(Map<TopicPartition, Long> latest, long requestedMs) {
    long answeredMs = clock.millis();
    ends.keySet().retainAll(latest.keySet());
    latest.forEach(
        (partition, end) ->
            ends.computeIfAbsent(partition, added -> new EndHistory())
                .see(end, requestedMs, answeredMs));
  }

  /**
   * Returns the arrival of a record.
   *
   * @param offset offset of the record; -1 = unknown
   * @param recordMs timestamp of the record, epoch ms; negative = unknown
   */
  public Arrival arrival(TopicPartition partition, long offset, long recordMs) {
    EndHistory history = ends.get(partition);
    long nowMs = clock.millis();
    return new Arrival(
        partition,
        history == null
            ? recordMs < 0 ? nowMs : Math.min(recordMs, nowMs)
            : history.arrivedMs(offset, recordMs, nowMs));
  }

  /** Counts points that reach a stage now. */
  public void reached(Stage stage, Arrival arrival, long points) {
    reached(stage, arrival, points, clock.millis());
  }

  /** Counts points that reached a stage at {@code nowMs}. */
  public void reached(Stage stage, Arrival arrival, long points, long nowMs) {
    reached
        .computeIfAbsent(
            new Key(stage, label(arrival.partition().topic())), added -> new LagHistogram())
        .add(nowMs - arrival.atMs(), points);
  }

  private String label(String topic) {
    return labels.computeIfAbsent(topic, name -> labels.size() < MAX_SOURCES ? name : OTHERS);
  }

  /**
   * Marks the records of a partition up to {@code offset} as decoded.
   *
   * @param recordMs timestamp of the last one, epoch ms
   */
  public void decoded(TopicPartition partition, long offset, long recordMs) {
    decoded.put(partition, new Decoded(offset, recordMs));
  }

  /** Adds a consumer. */
  public void add(Fetched consumer) {
    consumers.add(consumer);
  }

  /** Removes a closed consumer. */
  public void remove(Fetched consumer) {
    consumers.remove(consumer);
  }

  /** Adds a task. */
  public void add(TaskLag task) {
    tasks.add(task);
  }

  /** Removes a closed task. */
  public void remove(TaskLag task) {
    tasks.remove(task);
  }

  /** Returns the points of all sources that have reached a stage so far. */
  public Totals totals(Stage stage) {
    long points = 0;
    double seconds = 0;
    for (Map.Entry<Key, LagHistogram> each : reached.entrySet()) {
      if (each.getKey().stage == stage) {
        points += each.getValue().count();
        seconds += each.getValue().sumSeconds();
      }
    }
    return new Totals(points, seconds);
  }

  /** Returns the age of the oldest source record that is not decoded, seconds; 0 = none. */
  public double oldestSeconds() {
    return Stream.of(Stage.FETCHED, Stage.DECODED)
        .flatMap(stage -> waitingFor(stage).values().stream())
        .mapToDouble(this::ageSeconds)
        .max()
        .orElse(0);
  }

  Map<Key, LagHistogram> reached() {
    return new HashMap<>(reached);
  }

  /** Returns the age of an arrival, seconds. */
  double ageSeconds(Arrival arrival) {
    return Math.max(0, clock.millis() - arrival.atMs()) / 1000.0;
  }

  /** Returns the labels of the sources whose points pass a stage in this instance. */
  Set<String> sources(Stage stage) {
    Set<String> sources = new TreeSet<>();
    if (stage == Stage.MERGED || stage == Stage.SENT) {
      reached.keySet().stream()
          .filter(key -> key.stage == stage)
          .forEach(key -> sources.add(key.source));
    } else {
      for (Fetched consumer : consumers) {
        consumer.positions().keySet().stream()
            .filter(partition -> ends.containsKey(partition) && isRead(stage, partition))
            .forEach(partition -> sources.add(label(partition.topic())));
      }
    }
    return sources;
  }

  private boolean isRead(Stage stage, TopicPartition partition) {
    return partition.topic().equals(bySeries) == (stage == Stage.RECEIVED);
  }

  /**
   * Returns the oldest arrival that waits for a stage, by label of its source; sources without one
   * are omitted.
   */
  Map<String, Arrival> waitingFor(Stage stage) {
    Map<String, Arrival> oldest = new HashMap<>();
    for (Fetched consumer : consumers) {
      consumer
          .positions()
          .forEach((partition, read) -> add(oldest, waitingFor(stage, partition, read)));
    }
    tasks.forEach(task -> task.waitingFor(stage).forEach(arrival -> add(oldest, arrival)));
    return oldest;
  }

  private Arrival waitingFor(Stage stage, TopicPartition partition, Fetched.Position read) {
    EndHistory history = ends.get(partition);
    if (history == null || !isRead(stage, partition)) {
      return null;
    }
    return switch (stage) {
      case FETCHED, RECEIVED -> notRead(partition, read, history);
      case DECODED -> notDecoded(partition, read);
      default -> null;
    };
  }

  private Arrival notRead(TopicPartition partition, Fetched.Position read, EndHistory history) {
    return read.position() < history.end()
        ? arrival(partition, read.position(), read.recordMs())
        : null;
  }

  private Arrival notDecoded(TopicPartition partition, Fetched.Position read) {
    if (read.offset() < 0) {
      return null;
    }
    Decoded last = decoded.get(partition);
    if (last == null) {
      return arrival(partition, read.offset(), read.recordMs());
    }
    return last.offset < read.offset() ? arrival(partition, last.offset + 1, last.recordMs) : null;
  }

  private void add(Map<String, Arrival> oldest, Arrival arrival) {
    if (arrival != null) {
      oldest.merge(label(arrival.partition().topic()), arrival, Arrival::earlier);
    }
  }

  /**
   * Returns the oldest arrival that merges hold back, with the source partition that they wait for;
   * null if none.
   */
  Arrival heldBack() {
    Arrival oldest = null;
    for (TaskLag task : tasks) {
      oldest = Arrival.earlier(oldest, task.heldBack());
    }
    return oldest;
  }
}
