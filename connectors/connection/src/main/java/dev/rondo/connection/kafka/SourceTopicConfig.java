package dev.rondo.connection.kafka;

import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Configs of a source topic that Rondo itself creates for a load test. */
public final class SourceTopicConfig {
  /** Bound of record times ahead of the broker: the topology's default proposal. */
  private static final long MAX_AHEAD_MS = 300_000;

  private SourceTopicConfig() {}

  /**
   * Returns the configuration of a source topic.
   *
   * @param timestampType value of {@code message.timestamp.type}
   */
  public static Map<String, String> of(String timestampType) {
    return Map.of(
        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
        timestampType,
        TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
        Long.toString(MAX_AHEAD_MS));
  }
}
