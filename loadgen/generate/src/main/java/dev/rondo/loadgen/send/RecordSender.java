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
import org.apache.kafka.common.KafkaException;

/**
 * Encodes the points of each turn into records and sends them. Only one thread may send; other
 * threads may read the counters.
 */
final class RecordSender implements PointSink {
  private final Plan plan;
  private final Shape shape;
  private final boolean hasGenerations;
  private final Values values;
  private final Encoder encoder;
  private final Blocks blocks;
  private final Keys.Route route;
  private final boolean hasTimesOfPoints;
  private final Output output;
  private final Acks acks;

  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong garbage = new AtomicLong();
  private final AtomicLong points = new AtomicLong();
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** Points in the record under construction. */
  private int open;

  private int openSeries;
  private long openGeneration;

  /** Newest point of the current or last record, epoch ms; null with {@link Timestamps#NOW}. */
  private Long newestMs;

  private boolean isBroken;

  RecordSender(Plan plan, Fleet fleet, int partitions, Output output, Acks acks) {
    this.plan = plan;
    this.shape = plan.shape();
    this.hasGenerations = plan.kind().hasGenerations();
    this.values = new Values(plan.grid().seed());
    PointGrid grid = plan.grid();
    this.encoder = Format.of(plan.format()).encoder(fleet);
    this.blocks = new Blocks(plan.batch(), grid.metrics());
    this.route = Keys.of(plan.keys()).route(plan.topic(), fleet, blocks, partitions);
    this.hasTimesOfPoints = Timestamps.of(plan.timestamps()) == Timestamps.POINTS;
    this.output = output;
    this.acks = acks;
  }

  /** Adds the points of a turn, and sends the record if the next turn does not extend it. */
  void take(long turn) {
    shape.take(turn, this);
    if (open > 0 && !isJoinedBy(turn + 1)) {
      sendRecord();
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

  /** Sends the unfinished record after {@code turns} turns. */
  void finish(long turns) {
    if (open > 0) {
      sendRecord();
    }
    taken.lazySet(turns);
    output.flush();
  }

  @Override
  public void point(int series, long tick, long tMs) {
    long generation = hasGenerations ? shape.generation(series / plan.grid().metrics(), tMs) : 0;
    if (open > 0 && (open == plan.batch() || generation != openGeneration)) {
      sendRecord();
    }
    encoder.add(series, generation, tMs, values.of(series, tick));
    open++;
    openSeries = series;
    openGeneration = generation;
    if (hasTimesOfPoints) {
      newestMs = open == 1 ? tMs : Math.max(newestMs, tMs);
    }
  }

  private void sendRecord() {
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
      output.send(route.record(series, generation, newestMs, value), acks.ofNow(points));
    } catch (KafkaException e) { // interrupted, or a fatal error of the output
      acks.failed(points);
      acks.note(e);
      isBroken = true;
      return;
    }
    records.lazySet(records.getPlain() + 1);
    bytes.lazySet(bytes.getPlain() + value.length);
  }

  /** Whether the output failed for good; later records are counted as failed. */
  boolean isBroken() {
    return isBroken;
  }

  /** Turns whose records have all been sent to the output. */
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

  /** Total size of the records' values before compression. */
  long bytes() {
    return bytes.get();
  }
}
