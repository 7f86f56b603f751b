package dev.rondo.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of an update of a metric for the application, alone and while a second thread updates the
 * same metric.
 *
 * <pre>
 *   benchmark             ns an update   B allocated an update
 *   gauge                          1.7                       0
 *   counter                        2.6                       0
 *   counterOfTwoThreads            3.0                       0
 *   timer                         10.4                       0
 *   timerOfTwoThreads              179                       0
 *
 *   ./rondo bench points ClientBenchmark
 *   OpenJDK 17.0.15, 2 cores of an AMD EPYC, 2026-11-26.
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx256m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ClientBenchmark {
  private final Counter counter = new Counter("shop.orders");
  private final Gauge gauge = new Gauge("shop.queue");
  private final Timer timer = new Timer("shop.pay");

  @Benchmark
  public void counter() {
    counter.add();
  }

  @Benchmark
  public void gauge() {
    gauge.set(7);
  }

  /** With a duration drawn at random, which takes 2 ns. */
  @Benchmark
  public void timer() {
    timer.recordNanos(ThreadLocalRandom.current().nextInt());
  }

  @Benchmark
  @Threads(2)
  public void counterOfTwoThreads() {
    counter.add();
  }

  @Benchmark
  @Threads(2)
  public void timerOfTwoThreads() {
    timer.recordNanos(ThreadLocalRandom.current().nextInt());
  }
}
