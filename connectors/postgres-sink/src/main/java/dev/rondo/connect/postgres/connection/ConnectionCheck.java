package dev.rondo.connect.postgres.connection;

import dev.rondo.connect.postgres.config.ConfigFault;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.errors.NoConnectionException;
import dev.rondo.connect.postgres.errors.SqlStates;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What PostgreSQL itself says to a config: asked once, when a connector is made, changed or
 * validated. Only an answer that a change of the config or of the database's set-up can put right
 * is an error; a server that is away, full or starting is none.
 */
public final class ConnectionCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionCheck.class);

  /** Somebody waits for the answer: longest wait for each server, and for each of its answers. */
  private static final int LONGEST_WAIT_MS = 3_000;

  private ConnectionCheck() {}

  /** Adds errors to {@code values}; asks nothing when there are some already. */
  public static List<ConfigValue> check(Map<String, String> props, List<ConfigValue> values) {
    if (values.stream().allMatch(value -> value.errorMessages().isEmpty())) {
      check(PostgresSinkConfig.of(props).hurried(LONGEST_WAIT_MS), values);
    }
    return values;
  }

  private static void check(PostgresSinkConfig config, List<ConfigValue> values) {
    try (var database = new Database(config)) {
      for (ConfigFault fault : SetUp.faults(database.connection(), database.toString())) {
        add(fault, values);
      }
    } catch (NoConnectionException e) {
      ConfigFault fault = LoginAnswer.fault(SqlStates.told(e), config);
      if (fault == null) {
        LOG.warn("not checked, {} cannot be asked now: {}", config.url(), SqlStates.text(e));
      } else {
        add(fault, values);
      }
    } catch (SQLException e) {
      LOG.warn("not checked, {} does not answer now: {}", config.url(), SqlStates.text(e));
    }
  }

  private static void add(ConfigFault fault, List<ConfigValue> values) {
    for (ConfigValue value : values) {
      if (value.name().equals(fault.key())) {
        value.addErrorMessage(fault.text());
      }
    }
  }
}
