package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/** How far partitions are applied to the database. */
final class FindOffsets {
  static final String SQL =
      """
      select topic, partition, next_offset
      from unnest(?::text[], ?::uuid[], ?::int[]) as k (topic, topic_id, partition)
      join applied_offset using (topic, topic_id, partition)
      """;

  private FindOffsets() {}

  /**
   * @param logs of the partitions
   * @return without partitions that have no row
   */
  static Map<TopicPartition, Long> execute(
      Connection connection, Map<TopicPartition, TopicLogs.Log> logs) throws SQLException {
    var offsets = new HashMap<TopicPartition, Long>();
    List<TopicPartition> partitions = List.copyOf(logs.keySet());
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, partitions.stream().map(TopicPartition::topic).toArray(String[]::new));
      statement.setArray(
          2,
          connection.createArrayOf(
              "uuid", partitions.stream().map(p -> logs.get(p).topicId()).toArray(UUID[]::new)));
      statement.setObject(3, partitions.stream().mapToInt(TopicPartition::partition).toArray());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          offsets.put(new TopicPartition(result.getString(1), result.getInt(2)), result.getLong(3));
        }
      }
    }
    return offsets;
  }
}
