package dev.rondo.connect.postgres;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.metrics.KeyValue;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Writes records that cannot be stored to Connect's dead-letter queue, and waits until Kafka has
 * them.
 *
 * <p>What the worker's producer refuses at once, such as a record that is too large or a topic that
 * it may not write to, Connect only logs and counts: the future of the report succeeds ({@code
 * RetryWithToleranceOperator} leaves out reports that are done). So the count is compared, too.
 */
final class DeadLetterQueue {
  private static final String FAILURES = "deadletterqueue-produce-failures";

  private final ErrantRecordReporter reporter;
  private final Map<String, String> props;

  /**
   * A record that cannot be stored, and why.
   *
   * @param label for the metrics: PostgreSQL's SQLSTATE, or {@code unreadable}
   */
  record Reject(SinkRecord record, Exception reason, String label) {}

  /**
   * The queue of a task.
   *
   * @param reporter null without {@code errors.tolerance}
   * @param props config of the task: its connector's {@code name} and its own {@code task.id}
   */
  DeadLetterQueue(ErrantRecordReporter reporter, Map<String, String> props) {
    this.reporter = reporter;
    this.props = props;
  }

  /** Whether records can be written; else the task has to fail. */
  boolean exists() {
    return reporter != null;
  }

  /** Writes records. Connect delivers them again if it fails. */
  void write(List<Reject> rejects) {
    if (rejects.isEmpty()) {
      return;
    }
    double failuresBefore = failures();
    var reports = new ArrayList<Future<Void>>();
    for (Reject reject : rejects) {
      reports.add(reporter.report(reject.record(), reject.reason()));
    }
    reports.forEach(DeadLetterQueue::await);
    long failed = Math.round(failures() - failuresBefore);
    if (failed > 0) {
      throw new ConnectException(
          ("cannot write %d of %d records to the dead-letter queue %s; the worker's log has the"
                  + " reason. Its producer needs the right Write on the topic (see ./rondo check"
                  + " access --part=connect), and room for the record: max.message.bytes of the topic,"
                  + " producer.max.request.size of the worker")
              .formatted(failed, rejects.size(), props.get("errors.deadletterqueue.topic.name")));
    }
  }

  private static void await(Future<Void> report) {
    try {
      report.get();
    } catch (ExecutionException e) {
      throw new ConnectException(
          "cannot write a record to the dead-letter queue" + advice(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while writing a record to the dead-letter queue", e);
    }
  }

  private static String advice(Throwable failure) {
    return failure instanceof AuthorizationException
        ? ": %s. The worker's producer needs Write on it; to see what is missing: ./rondo check access --part=connect"
            .formatted(failure.getMessage())
        : ": " + failure.getMessage();
  }

  /** Records of this task that the producer did not write since the task started. */
  private double failures() {
    try {
      var bean =
          new ObjectName(
              "kafka.connect:type=task-error-metrics,connector=%s,task=%s"
                  .formatted(
                      KeyValue.of(props.getOrDefault("name", "unnamed")),
                      props.getOrDefault(PostgresSinkConfig.TASK_ID, "0")));
      var failures = ManagementFactory.getPlatformMBeanServer().getAttribute(bean, FAILURES);
      return ((Number) failures).doubleValue();
    } catch (InstanceNotFoundException e) {
      return 0; // outside a worker, or one without its JMX reporter
    } catch (JMException e) {
      throw new ConnectException("cannot read the count " + FAILURES + " of Connect", e);
    }
  }
}
