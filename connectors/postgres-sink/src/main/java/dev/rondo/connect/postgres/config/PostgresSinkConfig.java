package dev.rondo.connect.postgres.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;

/**
 * Settings of the sink. Row widths and bundles are not among them: the rows carry them.
 *
 * @param url JDBC URL, without a password
 * @param user role; empty: the one in {@code url}
 * @param connectTimeoutMs longest wait for a connection
 * @param socketTimeoutMs longest wait for the server's answer to a statement
 * @param retryBackoffMs pause after the first transient failure; doubles with each further one
 * @param retryBackoffMaxMs longest such pause
 * @param preallocateSlots rows of a segment in a bundle that are preallocated together; 0: none
 * @param eventRetentionDays after which events are deleted; 0: never
 * @param kafka settings of a Kafka Admin client; empty: Kafka is not asked
 */
public record PostgresSinkConfig(
    String url,
    String user,
    Password password,
    int connectTimeoutMs,
    int socketTimeoutMs,
    long retryBackoffMs,
    long retryBackoffMaxMs,
    int preallocateSlots,
    int eventRetentionDays,
    Map<String, Object> kafka) {
  public static final String CONNECTION_URL = "connection.url";
  public static final String CONNECTION_USER = "connection.user";
  public static final String CONNECTION_PASSWORD = "connection.password";
  static final String CONNECTION_TIMEOUT_MS = "connection.timeout.ms";
  static final String SOCKET_TIMEOUT_MS = "socket.timeout.ms";
  static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
  static final String RETRY_BACKOFF_MAX_MS = "retry.backoff.max.ms";
  static final String PREALLOCATE_SLOTS = "preallocate.slots";
  static final String EVENT_RETENTION_DAYS = "event.retention.days";

  /** Number of a task, from 0; the connector sets it, since Connect gives a task no number. */
  public static final String TASK_ID = "task.id";

  /**
   * How often the connector has had its tasks made anew, from 1; absent before. Connect makes them
   * anew when their configs change.
   */
  public static final String TASK_RENEWALS = "task.renewals";

  /** Prefix of the keys that are settings of Kafka's Admin client. */
  public static final String KAFKA = "kafka.";

  static final String KAFKA_BOOTSTRAP_SERVERS = KAFKA + "bootstrap.servers";

  /** Four pages of rows with the topology's default width. */
  private static final int DEFAULT_PREALLOCATE_SLOTS = 28;

  /** More would allocate space long before it is used, and slow the first put of a deployment. */
  private static final int MAX_PREALLOCATE_SLOTS = 256;

  /** As in the query API. */
  private static final int DEFAULT_EVENT_RETENTION_DAYS = 3_650;

  private static final int MAX_EVENT_RETENTION_DAYS = 36_500;

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
              "JDBC URL of the database with Rondo's tables: "
                  + "jdbc:postgresql://host[:port][,host2[:port2]]/database[?parameter=value]. "
                  + "It may contain the user, but never a password.",
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
              "Role to connect as. Empty: the user in connection.url.",
              CONNECTION,
              2,
              Width.MEDIUM,
              "Role")
          .define(
              CONNECTION_PASSWORD,
              ConfigDef.Type.PASSWORD,
              "",
              Importance.HIGH,
              "Password of the role. Empty: none is sent.",
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
                  + "After it the put is retried.",
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
              "Longest wait for an answer of PostgreSQL, milliseconds, rounded up to seconds. After it "
                  + "the connection counts as dead and the put is retried.",
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
              "Pause after the first transient failure, such as PostgreSQL being down, milliseconds. "
                  + "It doubles with each further failure; a put is retried without limit.",
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
              "Longest pause between retries, milliseconds; not below retry.backoff.ms.",
              RETRIES,
              2,
              Width.SHORT,
              "Longest pause (ms)")
          .define(
              PREALLOCATE_SLOTS,
              ConfigDef.Type.INT,
              DEFAULT_PREALLOCATE_SLOTS,
              Range.between(0, MAX_PREALLOCATE_SLOTS),
              Importance.LOW,
              "Rows of a segment to insert together when the first of them is written, so that they lie "
                  + "side by side in the table. 0 inserts each row when its slot arrives.",
              TABLES,
              1,
              Width.SHORT,
              "Slots to preallocate")
          .define(
              EVENT_RETENTION_DAYS,
              ConfigDef.Type.INT,
              DEFAULT_EVENT_RETENTION_DAYS,
              Range.between(0, MAX_EVENT_RETENTION_DAYS),
              Importance.LOW,
              "Days after which events are deleted, whenever the sink stores others. 0 keeps them. The "
                  + "query API deletes those older than its own RONDO_API_EVENT_RETENTION_DAYS.",
              TABLES,
              2,
              Width.SHORT,
              "Days to keep events")
          .define(
              KAFKA_BOOTSTRAP_SERVERS,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              "Kafka's brokers, host:port[,host2:port2], to read topic ids and offset bounds from. With "
                  + "them the sink recognizes a recreated topic, and counts records that Kafka deleted "
                  + "before they were applied; Connect shows a connector neither. Any setting of a "
                  + "Kafka client may be added, such as kafka.security.protocol. Empty: a topic is "
                  + "identified by its name.",
              TOPICS,
              1,
              Width.LONG,
              "Kafka's brokers");

  /**
   * Parses the config of a connector or task, which contains Connect's own keys too.
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
        (Integer) parsed.get(PREALLOCATE_SLOTS),
        (Integer) parsed.get(EVENT_RETENTION_DAYS),
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

  /** The same settings with no timeout above {@code waitMs}. */
  public PostgresSinkConfig withTimeoutsUpTo(int waitMs) {
    return new PostgresSinkConfig(
        url,
        user,
        password,
        Math.min(waitMs, connectTimeoutMs),
        Math.min(waitMs, socketTimeoutMs),
        retryBackoffMs,
        retryBackoffMaxMs,
        preallocateSlots,
        eventRetentionDays,
        kafka);
  }

  /**
   * Validates every key of {@link #DEF}, relations between keys included, and {@linkplain
   * ConnectKeys Connect's own keys} that are wrong for this sink.
   */
  public static List<ConfigValue> validate(Map<String, String> props) {
    var values = new ArrayList<>(DEF.validate(props));
    for (ConfigValue value : values) {
      switch (value.name()) {
        case CONNECTION_USER -> checkUser(value, props.get(CONNECTION_URL));
        case RETRY_BACKOFF_MAX_MS -> checkBackoff(value, valueOf(RETRY_BACKOFF_MS, values));
        default -> {}
      }
      UnknownKeys.misspelled(value.name(), withoutAdminKeys(props.keySet()), DEF.names())
          .forEach(
              unknown ->
                  value.addErrorMessage(
                      "Unknown key %s: did you mean %s?".formatted(unknown, value.name())));
    }
    values.addAll(ConnectKeys.errors(props));
    return values;
  }

  private static Set<String> withoutAdminKeys(Set<String> keys) {
    Set<String> others = new HashSet<>(keys);
    AdminClientConfig.configNames().forEach(name -> others.remove(KAFKA + name));
    return others;
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
          "%s is '%s', but %s names the user '%s': remove one"
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
