package dev.rondo.connect.postgres.metrics;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that wait in Kafka for a task, as its consumer counts them. Connect gives a task no
 * access to its consumer, but the consumer registers its metrics in the same JVM.
 */
public final class ConsumerLag {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLag.class);
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String BEANS =
      "kafka.consumer:type=consumer-fetch-manager-metrics,topic=*,partition=*,client-id=*";

  private ConsumerLag() {}

  /**
   * Records that wait for a task; 0 if its consumer is not found, or has another client id.
   *
   * @param props config of the task: its connector's {@code name} and its own {@code task.id}
   */
  public static double of(Map<String, String> props) {
    String client =
        "connector-consumer-%s-%s"
            .formatted(
                props.getOrDefault("name", "unnamed"),
                props.getOrDefault(PostgresSinkConfig.TASK_ID, "0"));
    try {
      double records = 0;
      Set<ObjectName> names = SERVER.queryNames(new ObjectName(BEANS), null);
      for (ObjectName name : names) {
        if (unquoted(name.getKeyProperty("client-id")).equals(client)
            && SERVER.getAttribute(name, "records-lag") instanceof Double lag
            && lag > 0) {
          records += lag;
        }
      }
      return records;
    } catch (JMException e) {
      LOG.debug("Cannot read the lag of {}", client, e); // a partition that is being revoked
      return 0;
    }
  }

  private static String unquoted(String value) {
    return value.startsWith("\"") ? ObjectName.unquote(value) : value;
  }
}
