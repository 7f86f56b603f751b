package dev.rondo.connect.postgres.offsets;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import org.apache.kafka.common.TopicPartition;

/** Deletes the applied offsets of partitions, so that they begin at the consumer group's. */
public final class DeleteOffsets {
  static final String SQL =
      """
      delete from applied_offset
      where (topic, partition) in (select * from unnest(?::text[], ?::int[]))
      """;

  private DeleteOffsets() {}

  public static void execute(Connection connection, Collection<TopicPartition> partitions)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, partitions.stream().map(TopicPartition::topic).toArray(String[]::new));
      statement.setObject(2, partitions.stream().mapToInt(TopicPartition::partition).toArray());
      statement.executeUpdate();
    }
  }
}
