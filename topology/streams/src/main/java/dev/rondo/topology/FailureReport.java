package dev.rondo.topology;

import dev.rondo.topology.config.TopologyConfig;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ended the topology: told in the log, and with which code the process exits. Any of the
 * threads may call it.
 */
final class FailureReport implements StreamsUncaughtExceptionHandler {
  /** To be started again. */
  static final int FAILED = 1;

  /** A setting is wrong: starting again does not help. */
  static final int WRONG_SETTING = 2;

  private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);

  private final String applicationId;
  private final String instanceId;
  private volatile boolean isWrongSetting;

  FailureReport(TopologyConfig config) {
    this.applicationId = config.getString("application.id");
    this.instanceId = config.getString("instance.id");
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable failure) {
    Optional<ConfigException> refusal = cause(failure, ConfigException.class);
    if (cause(failure, FencedInstanceIdException.class).isPresent()) {
      emit(
          ("another instance with application.id '%s' and instance.id '%s' has started; this one"
                  + " ends: give each its own instance.id")
              .formatted(applicationId, instanceId));
    } else if (refusal.isPresent()) {
      emit(refusal.get().getMessage());
    } else {
      LOG.error("the topology failed; it ends, to be started again", failure);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private void emit(String wrongSetting) {
    isWrongSetting = true;
    LOG.error(wrongSetting);
    System.err.println(wrongSetting);
  }

  /** Of the process, after a failure: {@link #FAILED} or {@link #WRONG_SETTING}. */
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
