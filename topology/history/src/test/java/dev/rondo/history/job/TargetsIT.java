package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.NewTopics;
import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.locations.Locations;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.series.Deletions;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Series that are deleted while a job runs, in the roles of the topology and of a sink. */
class TargetsIT {
  private static final long NOW_MS = System.currentTimeMillis() / 1000 * 1000;
  private static final long HOUR_MS = 3_600_000;

  private static final Job JOB =
      new Job(
          "1",
          List.of(),
          Map.of(),
          NOW_MS - 5 * HOUR_MS,
          NOW_MS - HOUR_MS,
          0,
          WriteMode.OVERWRITE,
          List.of(),
          0,
          1,
          List.of());

  @TempDir Path dir;
  private final KafkaSpace kafka = TestBed.kafka();
  private FillDatabase database;
  private TopologyConfig config;

  @BeforeEach
  void start() throws Exception {
    database = new FillDatabase();
    var properties = new Properties();
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("rondo.prefix", kafka.prefix());
    properties.put("state.dir", dir.toString());
    config = TopologyConfig.of(properties);
    String deletions = config.topic(Topics.SERIES_REQUESTS).name();
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(admin, List.of(new NewTopic(deletions, 1, (short) 1)));
    }
  }

  @AfterEach
  void stop() throws Exception {
    database.close();
  }

  private static SeriesEntry entry(String ident) {
    return new SeriesEntry(ident, "all", 0, 1, NOW_MS - 4 * HOUR_MS, "points", "", 0L);
  }

  private void store(String ident) throws Exception {
    store(ident, NOW_MS - 4 * HOUR_MS);
  }

  private void store(String ident, long startsAtMs) throws Exception {
    try (Connection sink = database.connectSink();
        var statement =
            sink.prepareStatement(
                "insert into series (ident, policy, seg, pos, starts_at, source)"
                    + " values (?, 'all', 0, 3, ?, 'points')")) {
      statement.setString(1, ident);
      statement.setLong(2, startsAtMs);
      statement.execute();
    }
  }

  private void delete(String ident) throws Exception {
    try (Connection sink = database.connectSink();
        var statement = sink.prepareStatement("delete from series where ident = ?");
        var producer =
            new KafkaProducer<>(kafka.client(), new StringSerializer(), new StringSerializer())) {
      String json =
          RequestJson.write(new SeriesRequest("test", 0L, new DeleteSeries(List.of(ident), null)));
      producer.send(new ProducerRecord<>(config.topic(Topics.SERIES_REQUESTS).name(), json)).get();
      statement.setString(1, ident);
      statement.execute();
    }
  }

  @Test
  void shouldNotWriteWhereAnotherSeriesHasTakenThePosition() throws Exception {
    Map<SeriesEntry, Long> series = Map.of(entry("a"), NOW_MS - 3 * HOUR_MS);
    try (Connection connection = database.connectFiller();
        Deletions deletions = new Deletions(config)) {
      SlotSession session = SlotSession.open(connection);
      var locations = new Locations(config, "test", Duration.ZERO, deletions);
      var targets = new Targets(JOB, locations, ident -> true, topic -> "");
      store("a");
      targets.find(session, series);
      assertThat(targets.of("a", NOW_MS - 2 * HOUR_MS, 1000).pos()).isEqualTo(3);

      delete("a");
      store("b");
      targets.find(session, series);

      assertThat(targets.of("a", NOW_MS - 2 * HOUR_MS, 1000)).isNull();
      assertThat(targets.deleted()).isOne();
    }
  }

  /** No point of the job has the former name, so it has no value for what that had. */
  @Test
  void shouldLeaveSlotsThatASeriesHadUnderItsFormerName() throws Exception {
    try (Connection connection = database.connectFiller();
        Deletions deletions = new Deletions(config);
        Connection sink = database.connectSink();
        var rename =
            sink.prepareStatement(
                "select rondo_rename_series(rondo_ident('a'), starts_at, rondo_ident('b'), now())"
                    + " from ds where ident = rondo_ident('a')")) {
      store("a");
      rename.execute();
      store("b", NOW_MS - 2 * HOUR_MS); // in the same position
      SlotSession session = SlotSession.open(connection);
      var locations = new Locations(config, "test", Duration.ZERO, deletions);
      var targets = new Targets(JOB, locations, ident -> true, topic -> "");
      SeriesEntry entry =
          SeriesEntry.newBuilder(entry("b")).setStartsAt(NOW_MS - 2 * HOUR_MS).build();
      targets.find(session, Map.of(entry, NOW_MS - 2 * HOUR_MS));

      assertThat(targets.of("b", NOW_MS - HOUR_MS, 1000)).isNotNull();
      assertThat(targets.of("b", NOW_MS - 3 * HOUR_MS, 1000)).isNull();
    }
  }
}
