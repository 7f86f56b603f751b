package dev.rondo.connect.postgres;

import dev.rondo.connect.postgres.config.ConnectKeys;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.ConnectionCheck;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.errors.SqlStates;
import dev.rondo.connect.postgres.offsets.DeleteOffsets;
import dev.rondo.connection.kafka.ClockWatch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes bundle rows and series from Kafka to PostgreSQL. Tasks differ only in their number;
 * Connect assigns the partitions.
 */
public final class PostgresSinkConnector extends SinkConnector {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSinkConnector.class);

  private Map<String, String> config = Map.of();
  private ClockWatch watch;
  private final AtomicInteger renewals = new AtomicInteger();

  @Override
  public void start(Map<String, String> props) {
    PostgresSinkConfig.of(props); // wrong values fail here, not in each task
    config = Map.copyOf(props);
    ConnectKeys.warnings(props).forEach(LOG::warn);
    watch = ClockWatch.start(this::renewTasks);
  }

  /** The timers of new consumers begin at the time that the clock now shows. */
  private void renewTasks(Duration back) {
    LOG.warn(
        "The clock of this machine was set back by {} s, for which consumers would commit nothing and"
            + " send no heartbeat; starts all tasks anew. The worker itself stands still until the"
            + " clock has caught up: restart it when it suits",
        back.toSeconds());
    renewals.incrementAndGet();
    context().requestTaskReconfiguration();
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
  public void stop() {
    if (watch != null) {
      watch.close();
    }
  }

  @Override
  public ConfigDef config() {
    return PostgresSinkConfig.DEF;
  }

  /** Validates the config, and asks PostgreSQL too if it answers. */
  @Override
  public Config validate(Map<String, String> props) {
    return new Config(ConnectionCheck.check(props, PostgresSinkConfig.validate(props)));
  }

  /**
   * Called when an operator moves the consumer group's offsets through Connect's REST API (3.6):
   * the sink continues from there as well.
   */
  @Override
  public boolean alterOffsets(Map<String, String> props, Map<TopicPartition, Long> offsets) {
    PostgresSinkConfig config = PostgresSinkConfig.of(props);
    try (var database = new Database(config)) {
      DeleteOffsets.execute(database.begin(), offsets.keySet());
      database.connection().commit();
      return true;
    } catch (SQLException e) {
      throw new ConnectException(
          "cannot delete applied offsets in %s: [%s] %s%s"
              .formatted(config.url(), SqlStates.state(e), SqlStates.text(e), SqlStates.advice(e)),
          SqlStates.unwrap(e));
    }
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }

  private Map<String, String> taskConfig(int id) {
    var own = new HashMap<>(config);
    own.put(PostgresSinkConfig.TASK_ID, Integer.toString(id));
    if (renewals.get() > 0) {
      own.put(PostgresSinkConfig.TASK_RENEWALS, renewals.toString());
    }
    return own;
  }
}
