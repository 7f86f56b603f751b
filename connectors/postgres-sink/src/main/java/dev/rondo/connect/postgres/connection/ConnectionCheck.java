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
 * Checks a config against PostgreSQL, once, when a connector is created, changed or validated. It
 * reports only errors that a change of the config or of the database's setup can fix, and none for
 * a server that is down, full or starting.
 */
public final class ConnectionCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionCheck.class);

  /** A user waits for the result: longest wait for each server and for each of its answers. */
  private static final int MAX_WAIT_MS = 3_000;

  private ConnectionCheck() {}

  /** Adds errors to {@code values}; does not connect when there are some already. */
  public static List<ConfigValue> check(Map<String, String> props, List<ConfigValue> values) {
    if (values.stream().allMatch(value -> value.errorMessages().isEmpty())) {
      check(PostgresSinkConfig.of(props).withTimeoutsUpTo(MAX_WAIT_MS), values);
    }
    return values;
  }

  private static void check(PostgresSinkConfig config, List<ConfigValue> values) {
    try (var database = new Database(config)) {
      for (ConfigFault fault : SchemaCheck.faults(database.connection(), database.toString())) {
        add(fault, values);
      }
    } catch (NoConnectionException e) {
      ConfigFault fault = ConnectFailure.fault(SqlStates.unwrap(e), config);
      if (fault == null) {
        LOG.warn(
            "Skipped the check of the database: cannot connect to {}: {}",
            config.url(),
            SqlStates.text(e));
      } else {
        add(fault, values);
      }
    } catch (SQLException e) {
      LOG.warn("Skipped the check of the database: {} failed: {}", config.url(), SqlStates.text(e));
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
