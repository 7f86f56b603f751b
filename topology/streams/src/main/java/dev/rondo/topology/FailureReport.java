package dev.rondo.topology;

import dev.rondo.topology.access.MissingRights;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs why the topology failed and determines the exit code of the process. Thread-safe. */
final class FailureReport implements StreamsUncaughtExceptionHandler {
  /** Exit code for a failure: the process should be restarted. */
  static final int FAILED = 1;

  /** Exit code for a wrong setting: a restart does not help. */
  static final int WRONG_SETTING = 2;

  private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);

  private final TopologyConfig config;
  private final String applicationId;
  private final String instanceId;
  private volatile boolean isWrongSetting;

  FailureReport(TopologyConfig config) {
    this.config = config;
    this.applicationId = config.getString("application.id");
    this.instanceId = config.getString("instance.id");
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable failure) {
    Optional<ConfigException> wrongSetting = cause(failure, ConfigException.class);
    Optional<String> refusal = MissingRights.explain(config, Part.TOPOLOGY, failure);
    if (cause(failure, FencedInstanceIdException.class).isPresent()) {
      report(
          ("another instance with application.id '%s' and instance.id '%s' has started; stopping"
                  + " this one. Give each instance a unique instance.id.")
              .formatted(applicationId, instanceId));
    } else if (wrongSetting.isPresent()) {
      report(wrongSetting.get().getMessage());
    } else if (refusal.isPresent()) {
      LOG.error("The topology stops: {}", refusal.get());
      System.err.println("The topology stops: " + refusal.get());
    } else {
      LOG.error("The topology failed and stops; restart the process", failure);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private void report(String message) {
    isWrongSetting = true;
    LOG.error(message);
    System.err.println(message);
  }

  /** Halts the process, as an orderly shutdown would wait for timers that stand still. */
  static void endAfterClockSetBack(Duration by) {
    LOG.error(
        "The clock of this machine was set back by {} s, for which Kafka's clients would hang; the"
            + " topology exits to be restarted",
        by.toSeconds());
    Runtime.getRuntime().halt(FAILED);
  }

  /** Returns the exit code after a failure: {@link #FAILED} or {@link #WRONG_SETTING}. */
  int exitCode() {
    return isWrongSetting ? WRONG_SETTING : FAILED;
  }

  private static <E extends Throwable> Optional<E> cause(Throwable failure, Class<E> type) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }
}
