package dev.rondo.chaos.part;

import dev.rondo.embedded.Launch;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.embedded.StartFailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A part that chaos itself starts, and restarts a second after it ends. */
public final class ManagedTarget implements Target, AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Part part;
  private final Starter starter;
  private final Launch launch;
  private final Thread keeper;

  private volatile Path root;
  private volatile ProcessHandle process;
  private volatile RunningProcess running;
  private volatile boolean isReady;
  private volatile boolean isWanted = true;
  private volatile boolean isClosing;
  private final AtomicInteger starts = new AtomicInteger();

  /** Starts the part. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts the part and waits until it answers.
     *
     * @param root installation to run from
     * @throws StartFailedException if it ends before
     */
    public RunningProcess start(Path root, Launch launch);
  }

  private ManagedTarget(Part part, Path root, Path log, Starter starter) {
    this.part = part;
    this.root = root;
    this.starter = starter;
    this.launch = new Launch(log, spawned -> process = spawned);
    this.keeper = new Thread(this::keep, "restart-" + part.label());
    keeper.setDaemon(true);
  }

  /** Starts the part in the background, with its output in a log file. */
  public static ManagedTarget start(Part part, Path root, Path dir, Starter starter) {
    Path log = dir.resolve("logs").resolve(part.label() + ".log");
    var target = new ManagedTarget(part, root, log, starter);
    OpenAtExit.addOwner(target); // ends before the broker, which it needs for a clean shutdown
    target.keeper.start();
    return target;
  }

  private void keep() {
    try {
      while (!isClosing) {
        if (isWanted) {
          runOnce();
        }
        Thread.sleep(isWanted ? PAUSE.toMillis() : LOOK.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing
    }
  }

  private void runOnce() {
    starts.incrementAndGet();
    try {
      running = starter.start(root, launch);
      isReady = true;
      running.process().onExit().join();
    } catch (StartFailedException e) {
      // ended before it was ready: see its log; it is started again
    }
    isReady = false;
  }

  @Override
  public boolean isReady() {
    return isReady && process().isPresent();
  }

  @Override
  public Optional<ProcessHandle> process() {
    return Optional.ofNullable(process).filter(ProcessTree::isAlive);
  }

  @Override
  public int restarts() {
    return Math.max(0, starts.get() - 1);
  }

  @Override
  public void stop() {
    isWanted = false;
    isReady = false;
    running.close();
  }

  @Override
  public void start() {
    isWanted = true;
  }

  @Override
  public void install(Path other) {
    root = other;
  }

  /**
   * Ends the part by SIGTERM and waits for its end. Kills a broker: the last ones of a cluster
   * cannot shut down cleanly.
   */
  @Override
  public void close() {
    isClosing = true;
    keeper.interrupt();
    if (Part.brokers().contains(part)) {
      kill();
    } else if (running != null) {
      running.close();
    }
    OpenAtExit.remove(this);
  }
}
