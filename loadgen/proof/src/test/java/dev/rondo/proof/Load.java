package dev.rondo.proof;

import dev.rondo.proof.model.Collector;
import dev.rondo.proof.model.Collector.Sending;
import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Collectors that publish until the load ends, each on a separate thread. */
final class Load implements AutoCloseable {
  private static final int SERIES_OF_HOST = 25;
  private static final long MINUTE_MS = 60_000;

  /** How long, in points' time, a collector gathers points. */
  private static final long GATHER_MS = 10_000;

  private static final long LEAST_SPAN_MS = 30 * MINUTE_MS;

  private final PolicyRule policy;
  private final EventClock clock;
  private final Producer<byte[], byte[]> producer;
  private final List<Collector> collectors = new ArrayList<>();
  private final ScheduledExecutorService threads;
  private final List<ScheduledFuture<?>> running = new ArrayList<>();

  private Load(PolicyRule policy, EventClock clock, Producer<byte[], byte[]> producer, int hosts) {
    this.threads = Executors.newScheduledThreadPool(hosts);
    this.policy = policy;
    this.clock = clock;
    this.producer = producer;
  }

  /**
   * Starts publishing.
   *
   * @param withoutKey topic of the records without a key
   * @param byHost topic of those keyed by host
   * @param sendings how the collectors publish, in turn
   */
  static Load start(
      String bootstrap,
      PolicyRule policy,
      String withoutKey,
      String byHost,
      List<Sending> sendings,
      Settings settings) {
    long coarsest = policy.coarsestStepMs();
    long spanMs = 2 * 60 * MINUTE_MS * settings.rounds() * settings.speed() / 20;
    long beginMs = (System.currentTimeMillis() - spanMs) / coarsest * coarsest;
    Load load =
        new Load(
            policy,
            new EventClock(beginMs, settings.speed()),
            producer(bootstrap),
            settings.hosts());
    Random random = new Random(settings.seed());
    for (int h = 0; h < settings.hosts(); h++) {
      Sending sending = sendings.get(h % sendings.size());
      String topic = sending.name().endsWith("KEY") ? withoutKey : byHost;
      load.collectors.add(
          new Collector(
              topic,
              "host-" + h,
              sending,
              load.series(h, random),
              load.producer,
              new ArrayList<>()));
    }
    for (Collector collector : load.collectors) {
      long everyMs = GATHER_MS / settings.speed();
      load.running.add(
          load.threads.scheduleWithFixedDelay(
              () -> load.send(collector),
              random.nextInt((int) everyMs + 1),
              everyMs,
              TimeUnit.MILLISECONDS));
    }
    return load;
  }

  private static Producer<byte[], byte[]> producer(String bootstrap) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap,
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            600_000,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            600_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /**
   * Half of the series are tagged; one in ten falls silent, one in ten appears after some minutes.
   */
  private List<Series> series(int host, Random random) {
    List<Series> series = new ArrayList<>();
    for (int n = 0; n < SERIES_OF_HOST; n++) {
      String ident =
          n % 2 == 0
              ? "%s.h%d.s%d".formatted(policy.name(), host, n)
              : "%s.s%d;dc=ams;host=h%d".formatted(policy.name(), n, host);
      long beginMs = clock.beginMs() + (n % 10 == 1 ? random.nextInt(8) * MINUTE_MS : 0);
      long lastMs =
          n % 10 == 2
              ? clock.beginMs() + MINUTE_MS + random.nextInt(6 * (int) MINUTE_MS)
              : Long.MAX_VALUE;
      series.add(new Series(ident, random.nextLong(), beginMs, lastMs));
    }
    return series;
  }

  private void send(Collector collector) {
    try {
      synchronized (collector) {
        collector.send(clock.nowMs());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a point was not acknowledged", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends all series except silent ones with a point at a time that is a multiple of every step, so
   * that no slot stays open; returns when every point is acknowledged.
   */
  void end() throws ExecutionException, InterruptedException {
    for (ScheduledFuture<?> collector : running) {
      collector.cancel(false);
      if (collector.isDone() && !collector.isCancelled()) {
        collector.get(); // rethrows a failure
      }
    }
    long coarsest = policy.coarsestStepMs();
    long nowMs = Math.max(clock.nowMs(), clock.beginMs() + LEAST_SPAN_MS);
    long endMs = (nowMs / coarsest + 1) * coarsest;
    List<Future<?>> ended = new ArrayList<>();
    for (Collector collector : collectors) {
      ended.add(
          threads.submit(
              () -> {
                synchronized (collector) {
                  collector.end(endMs);
                }
                return null;
              }));
    }
    for (Future<?> one : ended) {
      one.get();
    }
  }

  /** The series; their points are complete after the load has ended. */
  List<Series> series() {
    return collectors.stream().flatMap(collector -> collector.series().stream()).toList();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
