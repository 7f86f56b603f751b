package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.PlanFile;
import dev.rondo.loadgen.plan.Progress;
import dev.rondo.loadgen.shape.Shape;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One run of a plan. {@link #call} takes its turns; {@link #stop}, by another thread, ends it
 * early, with the plan completed by how far it has come.
 */
public final class Run {
  private static final Duration HAND_OVER_BOUND = Duration.ofSeconds(2);
  private static final Duration ACK_BOUND = Duration.ofSeconds(10);
  private static final Duration END_BOUND = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(5);

  private final Plan plan;
  private final PlanFile file;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Display display;
  private final Acks acks = new Acks();
  private final Turns turns;
  private final Pace pace;
  private final long beganNanos = System.nanoTime();
  private final Duration cpuBefore = cpu();
  private final Thread caller = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isStopped;
  private boolean isTakingTurns = true;

  /**
   * To be called by this thread, at once.
   *
   * @param fleet of the plan
   * @param waits false: all turns are due at once
   * @param partitions of the topic
   * @param producer is closed at the end
   * @param display is closed at the end
   */
  public Run(
      Plan plan,
      Fleet fleet,
      PlanFile file,
      boolean waits,
      int partitions,
      KafkaProducer<byte[], byte[]> producer,
      Display display) {
    this.plan = plan;
    this.file = file;
    this.producer = producer;
    this.display = display;
    this.turns = new Turns(plan, fleet, partitions, this::send, acks);
    this.pace = new Pace(waits, plan.grid().startMs(), () -> isStopped);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
  private void send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    producer.send(record, callback);
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Takes the turns; returns when all is acknowledged, or has failed, or the run was stopped. */
  public Summary call() {
    file.write(plan, Progress.NONE);
    try (display;
        var reports = new Reports()) {
      reports.start(() -> display.show(snapshot()), () -> file.write(plan, progress(false)));
      takeTurns();
      awaitAcks();
    } finally {
      producer.close(Duration.ZERO); // what is not acknowledged by now has failed
    }
    try {
      return finish();
    } finally {
      ended.countDown();
    }
  }

  private void takeTurns() {
    Shape shape = plan.shape();
    long all = plan.grid().points();
    long turn = 0;
    for (; turn < all && !turns.isBroken(); turn++) {
      pace.await(shape.dueMs(turn));
      if (isStopped) {
        break;
      }
      turns.take(turn);
    }
    turns.finish(turn);
    endTurns();
  }

  /** From here on nobody interrupts: neither the producer nor the file could be closed. */
  private synchronized void endTurns() {
    isTakingTurns = false;
    if (Thread.interrupted()) {
      acks.note(new IllegalStateException("it was ended while Kafka took no more"));
    }
  }

  private void awaitAcks() {
    long stoppedNanos = 0;
    while (acks.settledRecords() < turns.records()) {
      if (isStopped && stoppedNanos == 0) {
        stoppedNanos = System.nanoTime();
      }
      if (isStopped && System.nanoTime() - stoppedNanos > ACK_BOUND.toNanos()) {
        return;
      }
      LockSupport.parkNanos(this, LOOK.toNanos());
    }
  }

  private Summary finish() {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    double cpuSeconds = cpu().minus(cpuBefore).toNanos() / 1e9;
    boolean tookAll = turns.taken() == plan.grid().points();
    Progress progress = progress(tookAll && !turns.isBroken());
    file.write(plan, progress);
    return new Summary(
        plan,
        file.path(),
        progress,
        turns.points(),
        turns.records(),
        turns.bytes(),
        seconds,
        cpuSeconds,
        pace.worstLagMs(),
        acks.percentileMs(50),
        acks.percentileMs(99),
        acks.firstFailure());
  }

  private Progress progress(boolean isFinished) {
    return new Progress(turns.taken(), acks.acked(), acks.failed(), turns.garbage(), isFinished);
  }

  private Snapshot snapshot() {
    return new Snapshot(
        turns.taken(),
        plan.grid().points(),
        turns.points(),
        acks.failed(),
        pace.lagMs(),
        System.nanoTime() - beganNanos);
  }

  /** Ends the run, and returns when it has ended: at once, or some seconds later without Kafka. */
  public void stop() throws InterruptedException {
    isStopped = true;
    LockSupport.unpark(caller);
    if (!ended.await(HAND_OVER_BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
      interruptTurns();
    }
    ended.await(END_BOUND.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** It may be waiting for room in the producer's buffer. */
  private synchronized void interruptTurns() {
    if (isTakingTurns) {
      caller.interrupt();
    }
  }
}
