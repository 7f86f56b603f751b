package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Encoder;
import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.encode.Format;
import dev.rondo.loadgen.encode.Garbage;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.PointSink;
import dev.rondo.loadgen.shape.Shape;
import dev.rondo.loadgen.shape.Values;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Makes records of what leaves at each turn and hands them over. For one thread; what it counts may
 * be read by others.
 */
final class Turns implements PointSink {
  private final Plan plan;
  private final Shape shape;
  private final boolean hasGenerations;
  private final Values values;
  private final Encoder encoder;
  private final Blocks blocks;
  private final Keys.Route route;
  private final boolean hasTimesOfPoints;
  private final HandOver to;
  private final Acks acks;

  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong garbage = new AtomicLong();
  private final AtomicLong points = new AtomicLong();
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** Of the record that is being made. */
  private int open;

  private int openSeries;
  private long openGeneration;

  /** Of the record that is being made, or of the last one; null where points have no say. */
  private Long newestMs;

  private boolean isBroken;

  /** Where records go. */
  @FunctionalInterface
  interface HandOver {
    /**
     * The callback is told what became of the record; {@link KafkaException}: it cannot be sent.
     */
    void take(ProducerRecord<byte[], byte[]> record, Callback callback);
  }

  Turns(Plan plan, Fleet fleet, int partitions, HandOver to, Acks acks) {
    this.plan = plan;
    this.shape = plan.shape();
    this.hasGenerations = plan.kind().hasGenerations();
    this.values = new Values(plan.grid().seed());
    PointGrid grid = plan.grid();
    this.encoder = Format.of(plan.format()).encoder(fleet);
    this.blocks = new Blocks(plan.batch(), grid.metrics());
    this.route = Keys.of(plan.keys()).route(plan.topic(), fleet, blocks, partitions);
    this.hasTimesOfPoints = Timestamps.of(plan.timestamps()) == Timestamps.POINTS;
    this.to = to;
    this.acks = acks;
  }

  /**
   * All that leaves at the turn; with it, a record of which nothing more follows is handed over.
   */
  void take(long turn) {
    shape.take(turn, this);
    if (open > 0 && !isJoinedBy(turn + 1)) {
      handOver();
    }
    if (open == 0) {
      taken.lazySet(turn + 1);
    }
  }

  private boolean isJoinedBy(long turn) {
    int series = plan.grid().series();
    return open < plan.batch()
        && turn < plan.grid().points()
        && blocks.of((int) (turn % series)) == blocks.of((int) ((turn - 1) % series));
  }

  /** Hands over what is still open after {@code turns} turns. */
  void finish(long turns) {
    if (open > 0) {
      handOver();
    }
    taken.lazySet(turns);
  }

  @Override
  public void point(int series, long tick, long tMs) {
    long generation = hasGenerations ? shape.generation(series / plan.grid().metrics(), tMs) : 0;
    if (open > 0 && (open == plan.batch() || generation != openGeneration)) {
      handOver();
    }
    encoder.add(series, generation, tMs, values.of(series, tick));
    open++;
    openSeries = series;
    openGeneration = generation;
    if (hasTimesOfPoints) {
      newestMs = open == 1 ? tMs : Math.max(newestMs, tMs);
    }
  }

  private void handOver() {
    int count = open;
    open = 0;
    send(openSeries, openGeneration, encoder.take(), count);
    points.lazySet(points.getPlain() + count);
  }

  @Override
  public void garbage(int series) {
    send(series, 0, Garbage.record(garbage.getPlain()), 0);
    garbage.lazySet(garbage.getPlain() + 1);
  }

  private void send(int series, long generation, byte[] value, int points) {
    if (isBroken) {
      acks.failed(points);
      return;
    }
    try {
      to.take(route.record(series, generation, newestMs, value), acks.ofNow(points));
    } catch (KafkaException e) { // interrupted, or a producer that can go on no more
      acks.failed(points);
      acks.note(e);
      isBroken = true;
      return;
    }
    records.lazySet(records.getPlain() + 1);
    bytes.lazySet(bytes.getPlain() + value.length);
  }

  /** Whether the producer has refused a record: then there is no use in any more. */
  boolean isBroken() {
    return isBroken;
  }

  /** Of so many turns everything has been handed over. */
  long taken() {
    return taken.get();
  }

  long garbage() {
    return garbage.get();
  }

  long points() {
    return points.get();
  }

  long records() {
    return records.get();
  }

  /** Of the values of records, before compression. */
  long bytes() {
    return bytes.get();
  }
}
