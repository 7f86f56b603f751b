package dev.rondo.connect.clock;

import dev.rondo.connection.kafka.ClockWatch;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extension of a worker ({@code rest.extension.classes}) that ends it when the clock of its machine
 * is set back, to be started again by its supervisor. All of its connectors end with it, so only
 * the owner of the worker can choose it.
 *
 * <p>Without it the worker's own clients stand still until the clock has caught up: it stops all
 * tasks when it loses its place in the group of workers, and does not return to the group.
 */
public final class ClockGuard implements ConnectRestExtension {
  private static final Logger LOG = LoggerFactory.getLogger(ClockGuard.class);
  private static final int FAILED = 1;

  private ClockWatch watch;

  @Override
  public void configure(Map<String, ?> worker) {
    // it needs nothing
  }

  @Override
  public void register(ConnectRestExtensionContext context) {
    watch = ClockWatch.start(ClockGuard::end);
  }

  /** At once: an orderly end would wait by the same timers. */
  private static void end(Duration back) {
    LOG.error(
        "The clock of this machine was set back by {} s, for which Kafka's clients would stand still;"
            + " the worker ends to be started again",
        back.toSeconds());
    Runtime.getRuntime().halt(FAILED);
  }

  @Override
  public String version() {
    return ClockGuard.class.getPackage().getImplementationVersion();
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
