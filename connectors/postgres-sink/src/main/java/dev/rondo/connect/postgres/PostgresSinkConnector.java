package dev.rondo.connect.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bundle rows and series from Kafka into PostgreSQL. All tasks are alike but for their number:
 * partitions are shared out by Connect.
 */
public final class PostgresSinkConnector extends SinkConnector {
  /** Config key of a task, from 0 on: what Connect does not tell it. */
  static final String TASK_ID = "task.id";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresSinkConnector.class);

  private Map<String, String> config = Map.of();

  @Override
  public void start(Map<String, String> props) {
    PostgresSinkConfig.of(props); // wrong values end here, not in each task
    config = Map.copyOf(props);
    ConnectKeys.warnings(props).forEach(LOG::warn);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return PostgresSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return IntStream.range(0, maxTasks).mapToObj(this::taskConfig).toList();
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return PostgresSinkConfig.DEF;
  }

  /** Asks PostgreSQL, too, unless it is away. */
  @Override
  public Config validate(Map<String, String> props) {
    return new Config(ConnectionCheck.check(props, PostgresSinkConfig.validate(props)));
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }

  private Map<String, String> taskConfig(int id) {
    var own = new HashMap<>(config);
    own.put(TASK_ID, Integer.toString(id));
    return own;
  }
}
