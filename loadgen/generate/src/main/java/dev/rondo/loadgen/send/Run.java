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

/**
 * One run of a plan. {@link #call} sends it turn by turn; another thread may end it early with
 * {@link #stop}. Either way the plan file ends with how far the run came.
 */
public final class Run {
  private static final Duration HAND_OVER_BOUND = Duration.ofSeconds(2);
  private static final Duration ACK_BOUND = Duration.ofSeconds(10);
  private static final Duration END_BOUND = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(5);

  private final Plan plan;
  private final PlanFile file;
  private final Output output;
  private final Display display;
  private final Acks acks = new Acks();
  private final RecordSender sender;
  private final Pace pace;
  private final long beganNanos = System.nanoTime();
  private final Duration cpuBefore = cpu();
  private final Thread caller = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isStopped;
  private boolean isTakingTurns = true;

  /**
   * Create and {@link #call} it in the same thread, without delay: its clock starts here.
   *
   * @param fleet of the plan
   * @param waits false to send without regard to the clock
   * @param partitions of the topic
   * @param output closed at the end
   * @param display closed at the end
   */
  public Run(
      Plan plan,
      Fleet fleet,
      PlanFile file,
      boolean waits,
      int partitions,
      Output output,
      Display display) {
    this.plan = plan;
    this.file = file;
    this.output = output;
    this.display = display;
    this.sender = new RecordSender(plan, fleet, partitions, output, acks);
    this.pace = new Pace(waits, plan.grid().startMs(), () -> isStopped);
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /**
   * Sends all turns; returns when every record is acknowledged or failed, or the run is stopped.
   */
  public Summary call() {
    file.write(plan, Progress.NONE);
    try (display;
        var reports = new Reports()) {
      reports.start(() -> display.show(snapshot()), () -> file.write(plan, progress(false)));
      takeTurns();
      awaitAcks();
    } finally {
      output.close(); // what is not acknowledged by now has failed
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
    for (; turn < all && !sender.isBroken(); turn++) {
      pace.await(shape.dueMs(turn));
      if (isStopped) {
        break;
      }
      sender.take(turn);
    }
    sender.finish(turn);
    endTurns();
  }

  /** Prevents later interrupts, which would break closing the producer and writing the file. */
  private synchronized void endTurns() {
    isTakingTurns = false;
    if (Thread.interrupted()) {
      acks.note(new IllegalStateException("stopped while the producer's buffer was full"));
    }
  }

  private void awaitAcks() {
    long stoppedNanos = 0;
    while (acks.settledRecords() < sender.records()) {
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
    boolean tookAll = sender.taken() == plan.grid().points();
    Progress progress = progress(tookAll && !sender.isBroken());
    file.write(plan, progress);
    return new Summary(
        plan,
        file.path(),
        progress,
        sender.points(),
        sender.records(),
        sender.bytes(),
        seconds,
        cpuSeconds,
        pace.worstLagMs(),
        acks.percentileMs(50),
        acks.percentileMs(99),
        acks.firstFailure());
  }

  private Progress progress(boolean isFinished) {
    return new Progress(sender.taken(), acks.acked(), acks.failed(), sender.garbage(), isFinished);
  }

  private Snapshot snapshot() {
    return new Snapshot(
        sender.taken(),
        plan.grid().points(),
        sender.points(),
        acks.failed(),
        pace.lagMs(),
        System.nanoTime() - beganNanos);
  }

  /** Ends the run and waits for its end: immediate, or some seconds if Kafka does not answer. */
  public void stop() throws InterruptedException {
    isStopped = true;
    LockSupport.unpark(caller);
    if (!ended.await(HAND_OVER_BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
      interruptTurns();
    }
    ended.await(END_BOUND.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The sending thread may be blocked on a full producer buffer. */
  private synchronized void interruptTurns() {
    if (isTakingTurns) {
      caller.interrupt();
    }
  }
}
