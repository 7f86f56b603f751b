package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

class MetricsBeanTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void shouldBeThereUntilItIsClosed() throws Exception {
    var metrics = metrics();
    metrics.retried("57P01", "shutting down");
    var name = new ObjectName("dev.rondo:type=postgres-sink,connector=sink a,task=3");
    try (var bean = MetricsBean.register(metrics, Map.of("name", "sink a", "task.id", "3"))) {
      assertThat(bean).isNotNull();
      assertThat(SERVER.getAttribute(name, "RowsTotal")).isEqualTo(0L);
      assertThat(SERVER.getAttribute(name, "LagSeconds")).isNull();
      assertThat(SERVER.getAttribute(name, "Retrying")).isEqualTo(true);
      var retries = (TabularData) SERVER.getAttribute(name, "RetriesTotal");
      assertThat(retries.get(new Object[] {"57P01"}).get("value")).isEqualTo(1L);
    }
    assertThat(SERVER.isRegistered(name)).isFalse();
  }

  @Test
  void shouldQuoteNamesThatJmxWouldRefuse() throws Exception {
    Map<String, String> props = Map.of("name", "a,b=\"c*\":?", "task.id", "0");
    try (var bean = MetricsBean.register(metrics(), props)) {
      assertThat(bean).isNotNull();
      ObjectName name = MetricsBean.name(props);
      assertThat(SERVER.isRegistered(name)).isTrue();
      assertThat(ObjectName.unquote(name.getKeyProperty("connector"))).isEqualTo("a,b=\"c*\":?");
    }
  }

  @Test
  void shouldLeaveTheNameToTheSuccessor() throws Exception {
    Map<String, String> props = Map.of("name", "sink", "task.id", "0");
    ObjectName name = MetricsBean.name(props);
    var hanging = MetricsBean.register(metrics(), props);
    var metrics = metrics();
    metrics.retried("08006", "lost");
    try (var successor = MetricsBean.register(metrics, props)) {
      assertThat(successor).isNotNull();
      assertThat(SERVER.getAttribute(name, "Retrying")).isEqualTo(true);
      hanging.close();
      assertThat(SERVER.getAttribute(name, "Retrying")).isEqualTo(true);
    }
    assertThat(SERVER.isRegistered(name)).isFalse();
    hanging.close();
  }

  private static SinkMetrics metrics() {
    var config =
        PostgresSinkConfig.of(Map.of("connection.url", "jdbc:postgresql://db/rondo?user=rondo"));
    return new SinkMetrics(new Database(config), Clock.systemUTC(), System::nanoTime, () -> 0);
  }
}
