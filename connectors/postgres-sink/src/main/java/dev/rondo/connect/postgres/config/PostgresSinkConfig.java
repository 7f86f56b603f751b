package dev.rondo.connect.postgres.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Width;
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
 * @param kafka settings of a connection to Kafka; empty: there is none
 */
public record PostgresSinkConfig(
    String url,
    String user,
    Password password,
    int connectTimeoutMs,
    int socketTimeoutMs,
    long retryBackoffMs,
    long retryBackoffMaxMs,
    int reserveSlots,
    Map<String, Object> kafka) {
  public static final String CONNECTION_URL = "connection.url";
  public static final String CONNECTION_USER = "connection.user";
  public static final String CONNECTION_PASSWORD = "connection.password";
  static final String CONNECTION_TIMEOUT_MS = "connection.timeout.ms";
  static final String SOCKET_TIMEOUT_MS = "socket.timeout.ms";
  static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
  static final String RETRY_BACKOFF_MAX_MS = "retry.backoff.max.ms";
  static final String RESERVE_SLOTS = "reserve.slots";

  /** Number of a task, from 0; the connector sets it, since Connect does not tell a task. */
  public static final String TASK_ID = "task.id";

  /** Begin of the keys that are settings of Kafka's Admin. */
  public static final String KAFKA = "kafka.";

  static final String KAFKA_BOOTSTRAP_SERVERS = KAFKA + "bootstrap.servers";

  /** Four pages of rows of the topology's default width. */
  private static final int RESERVED = 28;

  /** More would make room long before it is needed, and the first put of a deployment slow. */
  private static final int MOST_RESERVED = 256;

  private static final String CONNECTION = "Connection";
  private static final String RETRIES = "Retries";
  private static final String TABLES = "Tables";
  private static final String TOPICS = "Topics";

  public static final ConfigDef DEF =
      new ConfigDef()
          .define(
              CONNECTION_URL,
              ConfigDef.Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new ConnectionUrl(),
              Importance.HIGH,
              "JDBC URL of the database that holds Rondo's tables: "
                  + "jdbc:postgresql://host[:port][,host2[:port2]]/database[?parameter=value]. "
                  + "It may name the user, never a password.",
              CONNECTION,
              1,
              Width.LONG,
              "JDBC URL",
              List.of(CONNECTION_USER))
          .define(
              CONNECTION_USER,
              ConfigDef.Type.STRING,
              "",
              Importance.HIGH,
              "Role that writes. Empty: the one that connection.url names.",
              CONNECTION,
              2,
              Width.MEDIUM,
              "Role")
          .define(
              CONNECTION_PASSWORD,
              ConfigDef.Type.PASSWORD,
              "",
              Importance.HIGH,
              "Its password. Empty: none is sent.",
              CONNECTION,
              3,
              Width.MEDIUM,
              "Password")
          .define(
              CONNECTION_TIMEOUT_MS,
              ConfigDef.Type.INT,
              10_000,
              Range.between(1_000, 600_000),
              Importance.LOW,
              "Longest wait for a connection, milliseconds, rounded up to seconds. "
                  + "Then the put is tried again.",
              CONNECTION,
              4,
              Width.SHORT,
              "Wait for a connection (ms)")
          .define(
              SOCKET_TIMEOUT_MS,
              ConfigDef.Type.INT,
              60_000,
              Range.between(1_000, 3_600_000),
              Importance.LOW,
              "Longest silence of PostgreSQL inside a statement, milliseconds, rounded up to "
                  + "seconds, before the connection is taken for dead. Then the put is tried again.",
              CONNECTION,
              5,
              Width.SHORT,
              "Wait for an answer (ms)")
          .define(
              RETRY_BACKOFF_MS,
              ConfigDef.Type.LONG,
              200L,
              Range.atLeast(1),
              Importance.LOW,
              "Pause, milliseconds, after the first failure that will pass, such as PostgreSQL "
                  + "being away. It doubles with each further one; a put is tried for ever.",
              RETRIES,
              1,
              Width.SHORT,
              "First pause (ms)",
              List.of(RETRY_BACKOFF_MAX_MS))
          .define(
              RETRY_BACKOFF_MAX_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(1),
              Importance.LOW,
              "Longest such pause, milliseconds; not below retry.backoff.ms.",
              RETRIES,
              2,
              Width.SHORT,
              "Longest pause (ms)")
          .define(
              RESERVE_SLOTS,
              ConfigDef.Type.INT,
              RESERVED,
              Range.between(0, MOST_RESERVED),
              Importance.LOW,
              "Rows of a segment that are made together, side by side and before their slots come, "
                  + "when the first of them is written; 0 makes each when it comes.",
              TABLES,
              1,
              Width.SHORT,
              "Slots reserved at once")
          .define(
              KAFKA_BOOTSTRAP_SERVERS,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              "Kafka's brokers, host:port[,host2:port2], to ask for the ids and the bounds of the "
                  + "topics: so the sink tells a topic that was made anew from the one before, and "
                  + "counts what Kafka has deleted before it was applied. Connect shows neither to "
                  + "its connectors. Any setting of a Kafka client may follow, such as "
                  + "kafka.security.protocol. Empty: a topic is known by its name.",
              TOPICS,
              1,
              Width.LONG,
              "Kafka's brokers");

  /**
   * The config of a connector or task, with Connect's own keys still in it.
   *
   * @throws ConfigException naming the first wrong key and its value
   */
  public static PostgresSinkConfig of(Map<String, String> props) {
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
        (Integer) parsed.get(RESERVE_SLOTS),
        kafka(props));
  }

  private static Map<String, Object> kafka(Map<String, String> props) {
    var settings = new HashMap<String, Object>();
    props.forEach(
        (key, value) -> {
          if (key.startsWith(KAFKA)) {
            settings.put(key.substring(KAFKA.length()), value);
          }
        });
    return props.getOrDefault(KAFKA_BOOTSTRAP_SERVERS, "").isBlank() ? Map.of() : settings;
  }

  /** The same with no wait longer than {@code waitMs}. */
  public PostgresSinkConfig hurried(int waitMs) {
    return new PostgresSinkConfig(
        url,
        user,
        password,
        Math.min(waitMs, connectTimeoutMs),
        Math.min(waitMs, socketTimeoutMs),
        retryBackoffMs,
        retryBackoffMaxMs,
        reserveSlots,
        kafka);
  }

  /**
   * Every key of {@link #DEF} with its value and what is wrong with it, across keys too; and those
   * of {@linkplain ConnectKeys Connect's own} that are wrong for this sink.
   */
  public static List<ConfigValue> validate(Map<String, String> props) {
    var values = new ArrayList<>(DEF.validate(props));
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
    values.addAll(ConnectKeys.errors(props));
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
