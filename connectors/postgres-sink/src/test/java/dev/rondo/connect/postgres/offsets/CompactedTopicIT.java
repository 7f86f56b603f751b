package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.metrics.SinkMetrics;
import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A backup that is older than what a compacted topic keeps in full: tombstones, and entries that
 * have later ones, may be gone.
 */
class CompactedTopicIT {
  private static final int ENTRIES = 5;

  private final TestDatabase database = TestDatabase.empty();
  private final TestKafka kafka = new TestKafka();
  private final String topic = kafka.name("series");

  @ParameterizedTest
  @CsvSource({
    "604800000, 86400000, 6, 1, 0", // all entries are kept for seven days
    "604800000, 86400000, 8, 1, 4",
    "604800000, 86400000, 8, 4, 0", // only the marker of a transaction may follow
    "0, 86400000, 0, 1, 0", // tombstones are kept for a day
    "0, 86400000, 2, 1, 4"
  })
  void shouldCountWhatMayBeCompactedAway(
      String lagMs, String tombstonesMs, long backupDays, long appliedOffset, long lost)
      throws Exception {
    createTopic(Map.of("min.compaction.lag.ms", lagMs, "delete.retention.ms", tombstonesMs));
    var entries = new ArrayList<TestKafka.Entry<String, SeriesEntry>>();
    for (int n = 1; n < ENTRIES; n++) {
      entries.add(
          new TestKafka.Entry<>("s" + n, new SeriesEntry("s" + n, "p", 0, n, 5L, "", "", 0L)));
    }
    entries.add(new TestKafka.Entry<>("s1", null));
    kafka.produce(topic, Topics.SERIES.keySerde(), Topics.SERIES.valueSerde(), entries);
    database.execute(
        "insert into applied_offset (topic, topic_id, partition, next_offset) values ('%s', '%s', 0, %d)"
            .formatted(topic, new UUID(0, 0), appliedOffset));

    assertThat(lost(Clock.offset(Clock.systemUTC(), Duration.ofDays(backupDays)))).isEqualTo(lost);
  }

  private void createTopic(Map<String, String> config) throws Exception {
    var settings = new HashMap<>(config);
    settings.put("cleanup.policy", "compact");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      NewTopics.create(admin, List.of(new NewTopic(topic, 1, (short) 1).configs(settings)));
    }
  }

  private long lost(Clock clock) throws Exception {
    try (var connection = new Database(PostgresSinkConfig.of(database.taskConfig()));
        var logs = new TopicLogs(Map.of("bootstrap.servers", kafka.bootstrap()), clock)) {
      var metrics = new SinkMetrics(connection, clock, System::nanoTime, () -> 0);
      var offsets = new AppliedOffsets(logs, new TaskContext(false), metrics, p -> Double.NaN);
      offsets.assign(List.of(new TopicPartition(topic, 0)));
      offsets.align(connection.connection(), List.of());
      return metrics.getLostRecordsTotal();
    }
  }
}
