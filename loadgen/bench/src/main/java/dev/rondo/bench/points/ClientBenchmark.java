package dev.rondo.bench.points;

import dev.rondo.client.Counter;
import dev.rondo.client.Gauge;
import dev.rondo.client.RondoClient;
import dev.rondo.client.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

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
public class ClientBenchmark extends NanosBenchmark {
  /** Its broker does not exist: nothing is published before the step ends. */
  private final RondoClient client =
      new RondoClient(
          Map.of(
              "bootstrap.servers", "127.0.0.1:9",
              "rondo.client.prefix", "bench",
              "rondo.client.step.ms", "3600000"));

  private final Counter counter = client.counter("shop.orders");
  private final Gauge gauge = client.gauge("shop.queue");
  private final Timer timer = client.timer("shop.pay");

  @TearDown
  public void close() {
    client.close(Duration.ZERO);
  }

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
