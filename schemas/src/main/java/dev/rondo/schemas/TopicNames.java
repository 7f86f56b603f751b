package dev.rondo.schemas;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names of the topics of one Rondo: {@code PREFIX.series} and so on, unless a topic has its own
 * full name. Rondos with different prefixes can share a cluster.
 *
 * @param prefix of all names
 * @param own full names of single topics, by the part of their default name after the prefix:
 *     {@code series}, {@code bundle-rows}
 */
public record TopicNames(String prefix, Map<String, String> own) {
  /** Key of the prefix in the settings of the topology. */
  public static final String PREFIX_KEY = "rondo.prefix";

  /** The prefix of {@link Topics}. */
  public static final String DEFAULT_PREFIX = "rondo";

  /** Leaves room for the longest name with this prefix, in Kafka's 249 characters. */
  private static final int MAX_PREFIX = 200;

  private static final int MAX_NAME = 249;
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]+");

  /**
   * @throws IllegalArgumentException if a name is not a legal topic name, or two are equal
   */
  public TopicNames {
    own = Map.copyOf(own);
    check(prefix, MAX_PREFIX);
    own.values().forEach(name -> check(name, MAX_NAME));
    Map<String, String> taken = new HashMap<>();
    for (Topic<?, ?> topic : Topics.OWN) {
      String name = own.getOrDefault(suffix(topic), prefix + "." + suffix(topic));
      String other = taken.put(name, suffix(topic));
      if (other != null) {
        throw new IllegalArgumentException(
            "'%s' is the name of two topics, %s and %s".formatted(name, other, suffix(topic)));
      }
    }
  }

  public static TopicNames of(String prefix) {
    return new TopicNames(prefix, Map.of());
  }

  /**
   * Reads the settings of a topology: {@code rondo.prefix}, {@code topic.series} and so on.
   *
   * @param settings by key; a key without a value counts as absent
   * @throws IllegalArgumentException that names the invalid value and its key
   */
  public static TopicNames of(Map<String, ?> settings) {
    String prefix = value(settings, PREFIX_KEY, DEFAULT_PREFIX);
    try {
      of(prefix);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s (%s)".formatted(e.getMessage(), PREFIX_KEY), e);
    }
    Map<String, String> own = new HashMap<>();
    for (Topic<?, ?> topic : Topics.OWN) {
      String name = value(settings, key(topic), "");
      if (!name.isEmpty()) {
        own.put(suffix(topic), name);
      }
    }
    try {
      return new TopicNames(prefix, own);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s (topic.*)".formatted(e.getMessage()), e);
    }
  }

  private static String value(Map<String, ?> settings, String key, String byDefault) {
    return settings.get(key) instanceof String text ? text.strip() : byDefault;
  }

  /** Setting of the topology with the name of a topic: {@code topic.bundle.rows}. */
  public static String key(Topic<?, ?> topic) {
    return "topic." + suffix(topic).replace('-', '.');
  }

  private static void check(String name, int maxLength) {
    if (name.isEmpty() || name.length() > maxLength || !LEGAL.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not 1 to %d of the characters a-z A-Z 0-9 . _ -".formatted(name, maxLength));
    }
    if (name.equals(".") || name.equals("..") || name.startsWith("__")) {
      throw new IllegalArgumentException("'%s' is reserved by Kafka".formatted(name));
    }
  }

  /** Returns the topic under its name in this Rondo. */
  public <K, V> Topic<K, V> of(Topic<K, V> topic) {
    return topic.named(own.getOrDefault(suffix(topic), prefix + "." + suffix(topic)));
  }

  /** The part of a default name after the prefix: {@code series}, {@code bundle-rows}. */
  public static String suffix(Topic<?, ?> topic) {
    return topic.name().substring(DEFAULT_PREFIX.length() + 1);
  }

  /** Consumer group of the Connect worker that {@code ./rondo up} starts. */
  public String connectGroup() {
    return prefix + "-connect";
  }

  /** The sink connector that {@code ./rondo up} creates. */
  public String connector() {
    return prefix + "-postgres-sink";
  }
}
