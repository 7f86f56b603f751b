package dev.rondo.connect.postgres.metrics;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanRegistration;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the metrics of a task in JMX, from {@link #register} to {@link #close}. When a task
 * still waits for PostgreSQL while its successor starts, the successor takes over the name, and the
 * old task does not unregister it when it ends. Errors of JMX are logged, and the task continues
 * without metrics.
 */
public final class MetricsBean extends StandardMBean implements MBeanRegistration, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsBean.class);
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private volatile ObjectName name; // null: not registered

  private MetricsBean(SinkMetrics metrics) {
    super(metrics, PostgresSinkMXBean.class, true);
  }

  /**
   * Registers the MBean of a task; what JMX refuses is logged.
   *
   * @param props config of the task: its connector's {@code name} and its own {@code task.id}
   */
  public static MetricsBean register(SinkMetrics metrics, Map<String, String> props) {
    var bean = new MetricsBean(metrics);
    try {
      bean.registerAs(name(props));
    } catch (JMException | RuntimeException e) {
      LOG.warn("Cannot register the metrics of this task in JMX; it continues without them", e);
    }
    return bean;
  }

  /** {@code dev.rondo:type=postgres-sink,connector=<name>,task=<id>}. */
  static ObjectName name(Map<String, String> props) throws JMException {
    return new ObjectName(
        "dev.rondo:type=postgres-sink,connector=%s,task=%s"
            .formatted(
                KeyValue.of(props.getOrDefault("name", "unnamed")),
                props.getOrDefault(PostgresSinkConfig.TASK_ID, "0")));
  }

  @Override
  public void close() {
    synchronized (MetricsBean.class) {
      if (name != null) {
        unregister(name);
      }
    }
  }

  private void registerAs(ObjectName wanted) throws JMException {
    synchronized (MetricsBean.class) {
      if (SERVER.isRegistered(wanted)) {
        unregister(wanted);
      }
      SERVER.registerMBean(this, wanted);
      name = wanted;
    }
  }

  private static void unregister(ObjectName name) {
    try {
      SERVER.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} is not registered any more", name);
    } catch (JMException | RuntimeException e) {
      LOG.warn("Cannot unregister {} from JMX", name, e);
    }
  }

  /** Called when the name is free or a successor has it. */
  @Override
  public void postDeregister() {
    super.postDeregister();
    name = null;
  }
}
