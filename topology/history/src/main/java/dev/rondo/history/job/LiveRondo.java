package dev.rondo.history.job;

import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.Remaining;
import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.RondoTopics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the running Rondo is. What it still has to store of the range of a job would be written
 * after the job, and over it.
 */
final class LiveRondo {
  private static final String APPLIED =
      "select partition, max(next_offset) from applied_offset where topic = ? group by partition";

  private final TopologyConfig config;
  private final Admin admin;
  private final WriteSession session;
  private final GroupOffsets group;
  private final String bySeries;
  private final String bundleRows;

  /** What has to be consolidated; null before the sources are decoded so far. */
  private Map<TopicPartition, Long> decoded;

  /** What has to be stored; null before the points are consolidated. */
  private Map<TopicPartition, Long> consolidated;

  LiveRondo(TopologyConfig config, Admin admin, WriteSession session) {
    this.config = config;
    this.admin = admin;
    this.session = session;
    String application = config.getString("application.id");
    this.group = new GroupOffsets(admin, application);
    this.bySeries = RondoTopics.bySeries(application);
    this.bundleRows = config.topic(Topics.BUNDLE_ROWS).name();
  }

  /** Whether PostgreSQL has the rows of all points that the job reads. */
  boolean hasStored(Job job) throws SQLException, ExecutionException, InterruptedException {
    if (decoded == null) {
      Map<TopicPartition, Long> committed = group.committed();
      Map<TopicPartition, Long> ends = new HashMap<>();
      job.parts().stream()
          .filter(part -> committed.keySet().stream().anyMatch(p -> isOf(p, part.topic())))
          .forEach(
              part -> ends.put(new TopicPartition(part.topic(), part.partition()), part.end()));
      if (!Remaining.isNone(config, committed, ends)) {
        return false;
      }
      decoded = ends(bySeries);
    }
    if (consolidated == null) {
      if (!Remaining.isNone(config, group.committed(), decoded)) {
        return false;
      }
      consolidated = ends(bundleRows);
    }
    Map<TopicPartition, Long> applied = applied();
    return applied.isEmpty() || Remaining.isNone(config, applied, consolidated);
  }

  private static boolean isOf(TopicPartition partition, String topic) {
    return partition.topic().equals(topic);
  }

  /** Where the partitions of a topic end, the last committed transaction included. */
  private Map<TopicPartition, Long> ends(String topic)
      throws ExecutionException, InterruptedException {
    if (!admin.listTopics().names().get().contains(topic)) {
      return Map.of();
    }
    return group.sources(List.of(topic)).stream()
        .collect(Collectors.toMap(SourceOffset::partition, SourceOffset::end));
  }

  /** What the sink has applied; empty with a sink that stores no offsets. */
  private Map<TopicPartition, Long> applied()
      throws SQLException, ExecutionException, InterruptedException {
    Map<TopicPartition, Long> applied = new HashMap<>();
    session.run(transactions -> applied.putAll(transactions.transaction(this::read)));
    return applied;
  }

  private Map<TopicPartition, Long> read(Connection connection) throws SQLException {
    Map<TopicPartition, Long> applied = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(APPLIED)) {
      statement.setString(1, bundleRows);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          applied.put(new TopicPartition(bundleRows, result.getInt(1)), result.getLong(2));
        }
      }
    }
    return applied;
  }
}
