package dev.rondo.embedded;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * Ends the session of a broker that was killed or stopped, before the broker is restarted.
 *
 * <p>Otherwise a node that is broker and controller loses transaction markers. While the previous
 * session is valid, partitions still have their leader when the broker loads its transactions, and
 * markers of committing transactions are queued for it. When the session expires, the partitions
 * briefly have no leader, and Kafka (4.3.1, {@code TransactionMarkerChannelManager}) treats them as
 * deleted: the markers are never written, and {@code read_committed} consumers stall. If the
 * session ends before the broker loads anything, the broker becomes the leader and remains it.
 */
final class PreviousSession {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final String SHORT_SESSION_MS = "400";
  private static final String SHORT_HEARTBEAT_MS = "100";

  private PreviousSession() {}

  /** Returns at once if there has never been a transaction, or if another broker can lead. */
  static void end(Path properties) throws IOException, JMException, InterruptedException {
    var settings = new Properties();
    try (var in = Files.newBufferedReader(properties)) {
      settings.load(in);
    }
    boolean isAlone = !settings.getProperty("controller.quorum.voters").contains(",");
    if (isAlone && hasTransactions(Path.of(settings.getProperty("log.dirs")))) {
      end(settings);
    }
  }

  private static boolean hasTransactions(Path data) throws IOException {
    try (var folders = Files.newDirectoryStream(data, "__transaction_state-*")) {
      return folders.iterator().hasNext();
    }
  }

  private static void end(Properties settings) throws JMException, InterruptedException {
    var controller = new KafkaRaftServer(controllerOnly(settings), Time.SYSTEM);
    controller.startup();
    try {
      awaitFenced();
    } finally {
      controller.shutdown();
      controller.awaitShutdown();
    }
  }

  private static KafkaConfig controllerOnly(Properties settings) {
    var alone = new Properties();
    alone.putAll(settings);
    alone.setProperty("process.roles", "controller");
    alone.setProperty("listeners", settings.getProperty("listeners").replaceAll(".*,", ""));
    alone.remove("advertised.listeners");
    alone.setProperty("broker.session.timeout.ms", SHORT_SESSION_MS);
    alone.setProperty("broker.heartbeat.interval.ms", SHORT_HEARTBEAT_MS);
    return KafkaConfig.fromProps(alone, false);
  }

  private static void awaitFenced() throws JMException, InterruptedException {
    var fenced = new ObjectName("kafka.controller:type=KafkaController,name=FencedBrokerCount");
    long until = System.nanoTime() + BOUND.toNanos();
    while (count(fenced) != 1) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException(
            "the previous session of the broker did not end within %d s"
                .formatted(BOUND.toSeconds()));
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private static int count(ObjectName gauge) throws JMException {
    try {
      return (Integer) ManagementFactory.getPlatformMBeanServer().getAttribute(gauge, "Value");
    } catch (InstanceNotFoundException e) {
      return 0; // the controller is still starting
    }
  }
}
