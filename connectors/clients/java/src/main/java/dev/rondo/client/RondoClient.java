package dev.rondo.client;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes the metrics of an application to Kafka: one point of each series at the end of each
 * step, in the native format.
 *
 * <pre>
 *   try (var rondo = new RondoClient(Map.of(
 *       "bootstrap.servers", "broker1:9092", "rondo.client.prefix", "shop", "rondo.client.tags", "host=web01"))) {
 *     Counter orders = rondo.counter("orders", "dc", "ams");
 *     orders.add();
 *   }
 * </pre>
 *
 * Create each metric once, and keep it: an update takes tens of nanoseconds and allocates nothing.
 * Updates never block and never throw, whatever the state of Kafka; points that cannot be published
 * are counted.
 */
public final class RondoClient implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration DROP_TIMEOUT = Duration.ofSeconds(1);

  private final long stepMs;
  private final Names names;
  private final Deliveries deliveries;
  private final Metrics metrics;
  private final RecordSender sender;
  private final PaceThread thread;
  private final ReentrantLock writing = new ReentrantLock();
  private final BatchWriter writer = new BatchWriter();
  private final boolean closeFails;

  /**
   * Starts a client.
   *
   * @param settings at least {@code bootstrap.servers} and {@code rondo.client.prefix} or {@code
   *     rondo.client.tags}; settings that do not begin with {@code rondo.} are the producer's
   * @throws org.apache.kafka.common.config.ConfigException if a setting is unknown or invalid, or
   *     if the library of the {@code compression.type} is missing
   */
  public RondoClient(Map<String, ?> settings) {
    this(new ClientSettings(settings), Clock.systemUTC());
  }

  private RondoClient(ClientSettings settings, Clock clock) {
    names = settings.names();
    stepMs = settings.stepMs();
    closeFails = settings.closeFails();
    byte[] key = names.key().getBytes(StandardCharsets.UTF_8);
    Pace pace = Pace.of(stepMs, key);
    deliveries = new Deliveries(names, clock);
    long beginMs = pace.endBefore(clock.millis());
    metrics = new Metrics(names, deliveries, settings.maxMetrics(), beginMs);
    var serializer = new ByteArraySerializer();
    sender =
        new RecordSender(
            () -> new KafkaProducer<>(settings.producer(), serializer, serializer),
            settings.topic(),
            key,
            deliveries);
    thread = new PaceThread(pace, clock, metrics, sender);
    thread.start();
  }

  /**
   * Returns the counter with this name and these tags; creates it if there is none.
   *
   * @param tags keys and values in turn
   * @throws IllegalArgumentException if the name or a tag is invalid, or another metric has this
   *     name
   */
  public Counter counter(String name, String... tags) {
    return metrics.get(Counter.class, name, pairs(tags), Counter::new);
  }

  /** Returns a gauge to be set; like {@link #counter}. */
  public Gauge gauge(String name, String... tags) {
    return metrics.get(Gauge.class, name, pairs(tags), Gauge::new);
  }

  /**
   * Adds a gauge whose value a function returns at the end of each step; like {@link #counter}.
   *
   * @param value returns NaN if it is unknown; must not block
   */
  public Metric gauge(String name, DoubleSupplier value, String... tags) {
    return metrics.add(name, pairs(tags), ident -> new SuppliedGauge(ident, value));
  }

  /** Returns a timer; like {@link #counter}. */
  public Timer timer(String name, String... tags) {
    return metrics.get(Timer.class, name, pairs(tags), Timer::new);
  }

  private static Map<String, String> pairs(String... tags) {
    if (tags.length % 2 != 0) {
      throw new IllegalArgumentException("tag '" + tags[tags.length - 1] + "' has no value");
    }
    var pairs = new TreeMap<String, String>();
    for (int n = 0; n < tags.length; n += 2) {
      if (pairs.put(tags[n], tags[n + 1]) != null) {
        throw new IllegalArgumentException("tag '" + tags[n] + "' occurs twice");
      }
    }
    return pairs;
  }

  /** Stops publishing a metric; another one can take its name. */
  public void remove(Metric metric) {
    metrics.remove(metric);
  }

  /** Receives points of a metrics library with its own names. */
  public interface LibraryPoints {
    /**
     * Adds a point. Invalid characters become {@code _}.
     *
     * @param tags in addition to those of all series of the client
     * @param tMs epoch ms
     */
    void add(String name, Map<String, String> tags, long tMs, double value);
  }

  /**
   * Publishes points at once, for a library with its own pace; blocks as long as the producer does.
   */
  public void publish(Consumer<LibraryPoints> points) {
    writing.lock();
    try {
      points.accept(this::add);
      sender.sendAll(writer.take());
    } finally {
      writing.unlock();
    }
  }

  private void add(String name, Map<String, String> tags, long tMs, double value) {
    try {
      String ident = names.ident(Names.cleanName(name), ownOf(tags));
      writer.add(ident.getBytes(StandardCharsets.UTF_8), tMs, value);
    } catch (IllegalArgumentException e) {
      deliveries.dropped(1, e.getMessage());
    }
  }

  /**
   * Adds a gauge of a metrics library with its own names, like {@link LibraryPoints#add}.
   *
   * @throws IllegalArgumentException if another metric has this name, or it is too long
   */
  public Metric libraryGauge(String name, DoubleSupplier value, Map<String, String> tags) {
    return metrics.add(
        Names.cleanName(name), ownOf(tags), ident -> new SuppliedGauge(ident, value));
  }

  private Map<String, String> ownOf(Map<String, String> tags) {
    Map<String, String> own = Names.cleanTags(tags);
    own.keySet().removeAll(names.tags().keySet());
    return own;
  }

  /** Length of a step. */
  public Duration step() {
    return Duration.ofMillis(stepMs);
  }

  /** Points that Kafka has acknowledged. */
  public long published() {
    return deliveries.published().total();
  }

  /** Points that were not published: Kafka did not accept them in time, or the buffer was full. */
  public long dropped() {
    return deliveries.dropped().total();
  }

  /**
   * Closes the client within five seconds.
   *
   * @throws KafkaException like {@link #close(Duration)}
   */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * Publishes the current step as a whole one, and waits up to the timeout for delivery. Later
   * updates have no effect. Undelivered points are logged.
   *
   * @return number of undelivered points since the start
   * @throws KafkaException if there are any, and {@code rondo.client.close.fails} is set
   */
  public long close(Duration timeout) {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    thread.end(timeout);
    sender.close(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
    if (!thread.end(DROP_TIMEOUT)) { // now each send fails at once
      deliveries.dropped(1, "the last step: its points were not collected in time");
    }
    String undelivered = deliveries.close();
    if (closeFails && !undelivered.isEmpty()) {
      throw new KafkaException(undelivered);
    }
    return dropped();
  }
}
