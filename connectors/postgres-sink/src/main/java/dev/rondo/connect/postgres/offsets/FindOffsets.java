package dev.rondo.connect.postgres.offsets;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/** Reads how far partitions are applied to the database. */
final class FindOffsets {
  static final String SQL =
      """
      select topic, partition, topic_id, next_offset
      from unnest(?::text[], ?::int[]) as k (topic, partition)
      join applied_offset using (topic, partition)
      """;

  private FindOffsets() {}

  /**
   * @param logs of the partitions
   */
  static Map<TopicPartition, StoredOffset> execute(
      Connection connection, Map<TopicPartition, TopicLogs.Log> logs) throws SQLException {
    var rows = new HashMap<TopicPartition, Map<UUID, Long>>();
    List<TopicPartition> partitions = List.copyOf(logs.keySet());
    partitions.forEach(partition -> rows.put(partition, new HashMap<>()));
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, partitions.stream().map(TopicPartition::topic).toArray(String[]::new));
      statement.setObject(2, partitions.stream().mapToInt(TopicPartition::partition).toArray());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.get(new TopicPartition(result.getString(1), result.getInt(2)))
              .put(result.getObject(3, UUID.class), result.getLong(4));
        }
      }
    }
    var offsets = new HashMap<TopicPartition, StoredOffset>();
    rows.forEach((p, nexts) -> offsets.put(p, StoredOffset.of(nexts, logs.get(p))));
    return offsets;
  }
}
