package dev.rondo.history.locations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.requests.Span;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.series.Requests;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Series that a running topology is asked for, until PostgreSQL has them. */
class LocationsIT {
  private static final int PARTITIONS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String POLICIES =
      """
      policies:
        - {name: none, match: '^drop', drop: true}
        - {name: all, match: '.*', step: 1s, heartbeat: 1h, archives: ["1s:2h"]}
        - {name: other, match: '.*', step: 1s, heartbeat: 1h, archives: ["1s:2h"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final long beginS = System.currentTimeMillis() / 1000 - 600;
  private FillDatabase database;
  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private final String keyed = kafka.source("keyed");
  private TopologyProcess topology;
  private Producer<byte[], byte[]> producer;
  private TopologyConfig config;
  private Thread sink;
  private volatile boolean isStopped;

  @BeforeEach
  void start() throws Exception {
    database = new FillDatabase();
    producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer());
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: %s, format: graphite}
              - {topic: %s, format: graphite, keyed: true}
            """
                .formatted(points, keyed));
    Path folder = Files.createDirectories(dir.resolve("topology"));
    topology =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources.file", sources)
            .set("sources.create", true)
            .set("partitions", PARTITIONS)
            .set("policies.file", Files.writeString(dir.resolve("policies.yaml"), POLICIES));
    topology.start();
    config = TopologyConfig.read(Optional.of(folder.resolve("topology.properties")), Map.of());
    sink = new Thread(this::sink);
    sink.start();
  }

  @AfterEach
  void stop() throws Exception {
    isStopped = true;
    sink.join();
    topology.close();
    producer.close();
    database.close();
  }

  /** Stores the entries of series as a JDBC sink does. */
  private void sink() {
    try (var consumer =
            new KafkaConsumer<>(
                config.reader(),
                Topics.SERIES.keySerde().deserializer(),
                Topics.SERIES.valueSerde().deserializer());
        Connection own = database.connectSink()) {
      var partitions =
          consumer.partitionsFor(config.topic(Topics.SERIES).name()).stream()
              .map(
                  each ->
                      new org.apache.kafka.common.TopicPartition(each.topic(), each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!isStopped) {
        for (ConsumerRecord<String, SeriesEntry> record : consumer.poll(Duration.ofMillis(100))) {
          store(own, record.key(), record.value());
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void store(Connection own, String ident, SeriesEntry entry) throws Exception {
    String sql =
        entry == null
            ? "delete from series where ident = ?"
            : "insert into series (ident, policy, seg, pos, starts_at, source)"
                + " values (?, ?, ?, ?, ?, ?) on conflict (ident) do update set policy = excluded.policy";
    try (var statement = own.prepareStatement(sql)) {
      statement.setString(1, ident);
      if (entry != null) {
        statement.setString(2, entry.getPolicy());
        statement.setInt(3, entry.getSeg());
        statement.setInt(4, entry.getPos());
        statement.setLong(5, entry.getStartsAt());
        statement.setString(6, entry.getSource());
      }
      statement.execute();
    }
  }

  private void send(String topic, int partition, String ident, long tS) throws Exception {
    byte[] value = (ident + " 1 " + tS + "\n").getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
  }

  private Span span(long fromS, long untilS) {
    return new Span((beginS + fromS) * 1000, (beginS + untilS) * 1000);
  }

  @Test
  void shouldCreateWhatDoesNotExist() throws Exception {
    try (Connection connection = database.connectFiller()) {
      SlotSession session = SlotSession.open(connection);
      var locations = new Locations(config, "test", PATIENCE, null);
      send(keyed, 3, "load;host=keyed", beginS);
      await().until(() -> !current(session, locations, "load;host=keyed").isEmpty());
      Location known = current(session, locations, "load;host=keyed").get("load;host=keyed");

      Map<String, Span> spans = new HashMap<>();
      for (int n = 0; n < 40; n++) {
        spans.put(n % 2 == 0 ? "app.s" + n : "load;host=web" + n, span(-1000 - n, -500));
      }
      Set<String> created = Set.copyOf(spans.keySet());
      spans.put("load;host=keyed", span(-1000, -500));
      spans.put("drop.me", span(-1000, -500));
      spans.put("a..b", span(-1000, -500));
      assertThat(locations.create(session, spans, "", "files"))
          .containsExactlyInAnyOrder("drop.me", "a..b");
      Map<String, Location> current = current(session, locations, spans.keySet());
      assertThat(current).hasSize(41).containsEntry("load;host=keyed", known);
      for (String ident : created) {
        assertThat(current.get(ident).sinceMs()).isEqualTo(spans.get(ident).fromMs());
        assertThat(current.get(ident).policy()).isEqualTo("all");
      }
      assertThat(
              database.value(
                  "select count(*) from ds join location_period on ds_id = id"
                      + " where source = 'files' and backfilled"))
          .isEqualTo("40");

      assertThat(locations.create(session, Map.of("new", span(-10, 0)), "other", "")).isEmpty();
      assertThat(current(session, locations, "new").get("new").policy()).isEqualTo("other");

      new Requests(config, PATIENCE).create(Map.of("killed", span(-1000, 0)), "test", "", "");
      await().until(() -> !current(session, locations, "killed").isEmpty());
      new Locations(config, "test", PATIENCE, null)
          .markCreated(session, List.of("killed", "load;host=keyed", "app.s0", "unknown"));
      assertThat(
              database.value(
                  "select string_agg(ident ->> 'name', ' ' order by id) from ds join location_period on ds_id = id"
                      + " where backfilled and source is distinct from 'files'"))
          .isEqualTo("new killed");

      topology.kill();
      topology.start();
      send(points, 0, "app.s0", beginS - 2000);
      await()
          .until(
              () ->
                  current(session, locations, "app.s0").get("app.s0").sinceMs()
                      == (beginS - 2000) * 1000);
      assertThat(current(session, locations, "app.s0").get("app.s0").pos())
          .isEqualTo(current.get("app.s0").pos());
      assertThat(Files.readString(dir.resolve("topology/topology.log")))
          .containsPattern("creation of 41 series requested by test at ")
          .containsPattern(
              "partition \\d: created \\d+ series, refused \\{policy-drops=1}, requested");
    }
  }

  private static Map<String, Location> current(
      SlotSession session, Locations locations, String ident) throws Exception {
    return current(session, locations, Set.of(ident));
  }

  private static Map<String, Location> current(
      SlotSession session, Locations locations, Set<String> idents) throws Exception {
    return session.transaction(each -> locations.current(each, List.copyOf(idents)));
  }
}
