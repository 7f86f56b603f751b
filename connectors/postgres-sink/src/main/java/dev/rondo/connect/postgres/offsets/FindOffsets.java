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
    var offsets = new HashMap<TopicPartition, StoredOffset>();
    List<TopicPartition> partitions = List.copyOf(logs.keySet());
    partitions.forEach(partition -> offsets.put(partition, StoredOffset.NONE));
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, partitions.stream().map(TopicPartition::topic).toArray(String[]::new));
      statement.setObject(2, partitions.stream().mapToInt(TopicPartition::partition).toArray());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          var id = result.getObject(3, UUID.class);
          long next = result.getLong(4);
          offsets.compute(
              new TopicPartition(result.getString(1), result.getInt(2)),
              (partition, before) -> StoredOffset.of(id, next, logs.get(partition), before));
        }
      }
    }
    return offsets;
  }
}
