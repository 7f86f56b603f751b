package dev.rondo.topology;

import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics that a pattern covers and that nobody reads, as they are younger than this instance: told
 * by a gauge, and in the log once a minute while there are any.
 */
final class UnreadTopics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadTopics.class);
  private static final long PERIOD_S = 60;

  private final SourceRules rules;
  private final Set<String> read;
  private final ScheduledExecutorService asker =
      Executors.newSingleThreadScheduledExecutor(UnreadTopics::daemon);

  private volatile List<String> unread = List.of();

  /**
   * @param read the topics that are read
   */
  UnreadTopics(SourceRules rules, Collection<String> read, MeterRegistry registry) {
    this.rules = rules;
    this.read = Set.copyOf(read);
    Gauge.builder("rondo.sources.unread.topics", () -> unread.size())
        .description("Topics that a pattern of the sources covers, read after a restart only")
        .register(registry);
  }

  /** Looks from now on, once a minute; without a pattern there is nothing to look for. */
  @SuppressWarnings("FutureReturnValueIgnored") // it catches whatever it may throw
  static UnreadTopics watch(
      TopologyConfig config, Collection<String> read, MeterRegistry registry) {
    UnreadTopics topics = new UnreadTopics(config.sourceRules(), read, registry);
    if (topics.rules.hasPatterns()) {
      Runnable look = () -> topics.look(config);
      topics.asker.scheduleWithFixedDelay(look, PERIOD_S, PERIOD_S, TimeUnit.SECONDS);
    }
    return topics;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "unread-topics");
    thread.setDaemon(true);
    return thread;
  }

  private void look(TopologyConfig config) {
    try (Admin admin = Admin.create(config.admin())) {
      see(admin.listTopics().names().get());
    } catch (ExecutionException | RuntimeException e) {
      LOG.debug("the topics cannot be had for now", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tells those that are not read.
   *
   * @param existing all topics that there are
   */
  void see(Collection<String> existing) {
    unread =
        existing.stream()
            .filter(topic -> !read.contains(topic) && rules.of(topic).isPresent())
            .sorted()
            .toList();
    if (!unread.isEmpty()) {
      LOG.warn(
          "topics that a pattern of the sources covers, but that were made after the start: {};"
              + " they are read after a restart",
          String.join(", ", unread));
    }
  }

  @Override
  public void close() {
    asker.shutdownNow();
  }
}
