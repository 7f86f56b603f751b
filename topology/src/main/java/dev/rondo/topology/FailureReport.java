package dev.rondo.topology;

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
  private volatile boolean fenced;

  FailureReport(TopologyConfig config) {
    this.applicationId = config.getString("application.id");
    this.instanceId = config.getString("instance.id");
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable failure) {
    if (isFenced(failure)) {
      fenced = true;
      String told =
          ("another instance with application.id '%s' and instance.id '%s' has started; this one"
                  + " ends: give each its own instance.id")
              .formatted(applicationId, instanceId);
      LOG.error(told);
      System.err.println(told);
    } else {
      LOG.error("the topology failed; it ends, to be started again", failure);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** Of the process, after a failure: {@link #FAILED} or {@link #WRONG_SETTING}. */
  int exitCode() {
    return fenced ? WRONG_SETTING : FAILED;
  }

  /** Kafka lets one member of a group at a time have an instance id: the one that came last. */
  private static boolean isFenced(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FencedInstanceIdException) {
        return true;
      }
    }
    return false;
  }
}
