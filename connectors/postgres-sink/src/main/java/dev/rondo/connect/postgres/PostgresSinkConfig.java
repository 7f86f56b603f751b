package dev.rondo.connect.postgres;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;

/**
 * What the sink is told, read once. Nothing here says how wide a row is or which bundles there are:
 * rows carry that.
 *
 * @param url JDBC URL, without a password
 * @param user empty: the one in {@code url}
 * @param connectTimeoutMs longest wait for a connection
 * @param socketTimeoutMs longest silence of the server inside a statement
 * @param retryBackoffMs pause after the first failure that will pass; doubles with each further one
 * @param retryBackoffMaxMs longest such pause
 * @param reserveSlots rows of a segment in a bundle that are reserved together; 0: none is
 */
record PostgresSinkConfig(
    String url,
    String user,
    Password password,
    int connectTimeoutMs,
    int socketTimeoutMs,
    long retryBackoffMs,
    long retryBackoffMaxMs,
    int reserveSlots) {
  static final String CONNECTION_URL = "connection.url";
  static final String CONNECTION_USER = "connection.user";
  static final String CONNECTION_PASSWORD = "connection.password";
  static final String CONNECTION_TIMEOUT_MS = "connection.timeout.ms";
  static final String SOCKET_TIMEOUT_MS = "socket.timeout.ms";
  static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
  static final String RETRY_BACKOFF_MAX_MS = "retry.backoff.max.ms";
  static final String RESERVE_SLOTS = "reserve.slots";

  /** Four pages of rows of the topology's default width. */
  private static final int RESERVED = 28;

  /** More would make room long before it is needed, and the first put of a deployment slow. */
  private static final int MOST_RESERVED = 256;

  static final ConfigDef DEF =
      new ConfigDef()
          .define(
              CONNECTION_URL,
              ConfigDef.Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new ConnectionUrl(),
              Importance.HIGH,
              "JDBC URL of the database that holds Rondo's tables: "
                  + "jdbc:postgresql://host[:port][,host2[:port2]]/database[?parameter=value]. "
                  + "It may name the user, never a password.")
          .define(
              CONNECTION_USER,
              ConfigDef.Type.STRING,
              "",
              Importance.HIGH,
              "Role that writes. Empty: the one that connection.url names.")
          .define(
              CONNECTION_PASSWORD,
              ConfigDef.Type.PASSWORD,
              "",
              Importance.HIGH,
              "Its password. Empty: none is sent.")
          .define(
              CONNECTION_TIMEOUT_MS,
              ConfigDef.Type.INT,
              10_000,
              Range.between(1_000, 600_000),
              Importance.LOW,
              "Longest wait for a connection, milliseconds, rounded up to seconds. "
                  + "Then the put is tried again.")
          .define(
              SOCKET_TIMEOUT_MS,
              ConfigDef.Type.INT,
              60_000,
              Range.between(1_000, 3_600_000),
              Importance.LOW,
              "Longest silence of PostgreSQL inside a statement, milliseconds, rounded up to "
                  + "seconds, before the connection is taken for dead. Then the put is tried again.")
          .define(
              RETRY_BACKOFF_MS,
              ConfigDef.Type.LONG,
              200L,
              Range.atLeast(1),
              Importance.LOW,
              "Pause, milliseconds, after the first failure that will pass, such as PostgreSQL "
                  + "being away. It doubles with each further one; a put is tried for ever.")
          .define(
              RETRY_BACKOFF_MAX_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(1),
              Importance.LOW,
              "Longest such pause, milliseconds; not below retry.backoff.ms.")
          .define(
              RESERVE_SLOTS,
              ConfigDef.Type.INT,
              RESERVED,
              Range.between(0, MOST_RESERVED),
              Importance.LOW,
              "Rows of a segment that are made together, side by side and before their slots come, "
                  + "when the first of them is written; 0 makes each when it comes.");

  /**
   * The config of a connector or task, with Connect's own keys still in it.
   *
   * @throws ConfigException naming the first wrong key and its value
   */
  static PostgresSinkConfig of(Map<String, String> props) {
    for (ConfigValue value : validate(props)) {
      if (!value.errorMessages().isEmpty()) {
        throw new ConfigException(value.errorMessages().get(0));
      }
    }
    Map<String, Object> parsed = DEF.parse(props);
    return new PostgresSinkConfig(
        (String) parsed.get(CONNECTION_URL),
        (String) parsed.get(CONNECTION_USER),
        (Password) parsed.get(CONNECTION_PASSWORD),
        (Integer) parsed.get(CONNECTION_TIMEOUT_MS),
        (Integer) parsed.get(SOCKET_TIMEOUT_MS),
        (Long) parsed.get(RETRY_BACKOFF_MS),
        (Long) parsed.get(RETRY_BACKOFF_MAX_MS),
        (Integer) parsed.get(RESERVE_SLOTS));
  }

  /** Every key of {@link #DEF} with its value and what is wrong with it, across keys too. */
  static List<ConfigValue> validate(Map<String, String> props) {
    List<ConfigValue> values = DEF.validate(props);
    for (ConfigValue value : values) {
      switch (value.name()) {
        case CONNECTION_USER -> checkUser(value, props.get(CONNECTION_URL));
        case RETRY_BACKOFF_MAX_MS -> checkBackoff(value, valueOf(RETRY_BACKOFF_MS, values));
        default -> {}
      }
      UnknownKeys.meant(value.name(), props.keySet(), DEF.names())
          .forEach(
              unknown ->
                  value.addErrorMessage(
                      "Unknown key %s: did you mean %s?".formatted(unknown, value.name())));
    }
    return values;
  }

  private static void checkUser(ConfigValue user, String url) {
    String inUrl = ConnectionUrl.user(url);
    if (user.value() == null || (inUrl == null && !user.value().equals(""))) {
      return;
    }
    if (inUrl == null) {
      user.addErrorMessage(
          "%s is empty and %s names no user: set one".formatted(CONNECTION_USER, CONNECTION_URL));
    } else if (!user.value().equals("") && !user.value().equals(inUrl)) {
      user.addErrorMessage(
          "%s is '%s', but %s names the user '%s': drop one"
              .formatted(CONNECTION_USER, user.value(), CONNECTION_URL, inUrl));
    }
  }

  private static void checkBackoff(ConfigValue longest, Object first) {
    if (longest.value() instanceof Long max && first instanceof Long ms && max < ms) {
      longest.addErrorMessage(
          "%s is %d ms, below %s, %d ms"
              .formatted(RETRY_BACKOFF_MAX_MS, max, RETRY_BACKOFF_MS, ms));
    }
  }

  private static Object valueOf(String key, List<ConfigValue> values) {
    return values.stream()
        .filter(value -> value.name().equals(key))
        .findFirst()
        .map(ConfigValue::value)
        .orElse(null);
  }
}
