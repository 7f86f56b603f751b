package dev.rondo.connect.postgres.metrics;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that wait in Kafka for a task, and those that it has passed, as its consumer counts them.
 * Connect gives a task no access to its consumer, but the consumer registers its metrics in the
 * same JVM.
 */
public final class ConsumerLag {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLag.class);
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String BEAN =
      "kafka.consumer:type=consumer-fetch-manager-metrics,topic=%s,partition=%s,client-id=%s";

  private ConsumerLag() {}

  /**
   * Records that wait for a task; 0 if its consumer is not found, or has another client id.
   *
   * @param props config of the task: its connector's {@code name} and its own {@code task.id}
   */
  public static double of(Map<String, String> props) {
    String client = client(props);
    Map<TopicPartition, Double> lags = new HashMap<>();
    try {
      var all = new ObjectName(BEAN.formatted("*", "*", "*"));
      for (ObjectName name : SERVER.queryNames(all, null)) {
        if (KeyValue.unquoted(name.getKeyProperty("client-id")).equals(client)
            && SERVER.getAttribute(name, "records-lag") instanceof Double lag
            && lag > 0) {
          String topic = underscored(KeyValue.unquoted(name.getKeyProperty("topic")));
          int partition = Integer.parseInt(name.getKeyProperty("partition"));
          lags.put(new TopicPartition(topic, partition), lag);
        }
      }
      return lags.values().stream().mapToDouble(Double::doubleValue).sum();
    } catch (JMException e) {
      LOG.debug("Cannot read the lag of {}", client, e); // a partition that is being revoked
      return 0;
    }
  }

  /**
   * Offsets from the begin of a partition's log to the task's consumer, as of the last records; NaN
   * if its consumer is not found.
   *
   * @param props as above
   */
  public static double lead(Map<String, String> props, TopicPartition partition) {
    String client = KeyValue.of(client(props));
    for (String topic : List.of(partition.topic(), underscored(partition.topic()))) {
      String name = BEAN.formatted(KeyValue.of(topic), partition.partition(), client);
      try {
        if (SERVER.getAttribute(new ObjectName(name), "records-lead") instanceof Double lead) {
          return lead;
        }
      } catch (JMException e) {
        LOG.debug("Cannot read the lead of {}", name, e); // under the other name
      }
    }
    return Double.NaN;
  }

  private static String client(Map<String, String> props) {
    return "connector-consumer-%s-%s"
        .formatted(
            props.getOrDefault("name", "unnamed"),
            props.getOrDefault(PostgresSinkConfig.TASK_ID, "0"));
  }

  /** Kafka 4.1 has each metric twice, under the topic's name and with {@code _} for its dots. */
  private static String underscored(String topic) {
    return topic.replace('.', '_');
  }
}
