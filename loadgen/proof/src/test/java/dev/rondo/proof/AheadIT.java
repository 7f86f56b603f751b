package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.harness.parts.Instance;
import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender writes a record that is ahead of the clock, as is its point. It has one fate, whether it
 * is read before its time comes, after that because the topology was down, or again by a replay. On
 * a topic with a bound the broker refuses it, with the broker's times Rondo does, and else it is
 * stored.
 */
@Tag("long")
@Timeout(900)
class AheadIT {
  private static final String NAME = "ahead";
  private static final int AHEAD_S = 15;
  private static final long MAX_FUTURE_MS = 4_000;

  /** The end of the pattern, by when nothing of it is ahead any more. */
  private static final int END_S = AHEAD_S + 4;

  /** How the broker bounds the times of records, by topic. */
  private static final Map<String, Map<String, String>> TOPICS =
      Map.of(
          NAME + "-bounded",
          Map.of("message.timestamp.after.max.ms", Long.toString(MAX_FUTURE_MS)),
          NAME + "-append",
          Map.of("message.timestamp.type", "LogAppendTime"),
          NAME + "-free",
          Map.of("message.timestamp.type", "CreateTime"));

  @TempDir Path dir;

  private Services services;
  private Producer<byte[], byte[]> producer;

  @Test
  void shouldJudgeARecordAlikeWheneverItIsRead() throws Exception {
    services = Services.shared();
    for (var topic : TOPICS.entrySet()) {
      services.createTopic(topic.getKey(), Instances.PARTITIONS, topic.getValue());
    }
    Path policies =
        Files.writeString(
            dir.resolve("policies.yaml"),
            "policies: [{name: %s, match: '.*', step: 1s, heartbeat: 0, archives: ['1s:1h']}]"
                .formatted(NAME));
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            TOPICS.keySet().stream()
                .map("{topic: %s, format: graphite, keyed: true}"::formatted)
                .collect(Collectors.joining(", ", "sources: [", "]")));
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var instances =
            new Instances(services, NAME, List.copyOf(TOPICS.keySet()), policies, 0)
                .with("sources.file", sources.toString())
                .with("merge.sources", "false")
                .with("max.future.ms", Long.toString(MAX_FUTURE_MS));
        var sender =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer = sender;
      Instance instance = instances.add();
      instance.awaitRunning();
      long liveS = nowS();
      sendUntilAhead("live", liveS);
      instances.awaitCaughtUp();
      assertThat(nowS()).as("read live").isLessThan(liveS + AHEAD_S - MAX_FUTURE_MS / 1000);
      instance.stop();

      long downS = nowS();
      sendUntilAhead("down", downS);
      awaitClock(downS + END_S);
      sendRest("live", liveS);
      sendRest("down", downS);
      instance.start();
      instance.awaitRunning();
      instances.awaitCaughtUp();
      await("the ends of all series").untilAsserted(() -> shouldBeStored(liveS, downS));

      awaitClock(downS + END_S + 65); // slots of a range must be closed
      replay(liveS - 10, downS + END_S - 1);
      shouldBeStored(liveS, downS);
      assertThat(Files.readString(dir.resolve("instance-1/topology.log")))
          .contains("topic 'ahead-free' accepts record times")
          .doesNotContain("topic 'ahead-append' accepts", "topic 'ahead-bounded' accepts");
    }
  }

  private void shouldBeStored(long liveS, long downS) throws SQLException {
    for (String topic : TOPICS.keySet()) {
      assertThat(slots(topic + ".live", liveS)).as(topic + ", live").isEqualTo(expected(topic));
      assertThat(slots(topic + ".down", downS)).as(topic + ", down").isEqualTo(expected(topic));
    }
  }

  /** Values by second of the pattern: where the point ahead is stored, those before it are late. */
  private static Map<Long, Double> expected(String topic) {
    boolean isFree = topic.endsWith("free");
    Map<Long, Double> slots = new TreeMap<>();
    for (long s = -5; s < END_S; s++) {
      if (s <= 0) {
        slots.put(s, 1.0);
      } else if (s == AHEAD_S && isFree) {
        slots.put(s, 999.0);
      } else if (s != AHEAD_S && (s > AHEAD_S || !isFree)) {
        slots.put(s, 2.0);
      }
    }
    return slots;
  }

  private void sendUntilAhead(String series, long baseS) throws Exception {
    for (String topic : TOPICS.keySet()) {
      for (int s = -5; s <= 0; s++) {
        send(topic, series, baseS + s, 1);
      }
      if (topic.endsWith("bounded")) {
        assertThatThrownBy(() -> send(topic, series, baseS + AHEAD_S, 999))
            .hasCauseInstanceOf(InvalidTimestampException.class)
            .hasMessageContaining("out of range");
      } else {
        send(topic, series, baseS + AHEAD_S, 999);
      }
    }
  }

  private void sendRest(String series, long baseS) throws Exception {
    for (String topic : TOPICS.keySet()) {
      for (int s = 1; s <= END_S; s++) {
        if (s != AHEAD_S) {
          send(topic, series, baseS + s, 2);
        }
      }
    }
  }

  /** Sends a point in a record of the same time. */
  private void send(String topic, String series, long tS, int value) throws Exception {
    byte[] line =
        "%s.%s %d %d\n".formatted(topic, series, value, tS).getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, 0, tS * 1000, null, line)).get();
  }

  private static long nowS() {
    return System.currentTimeMillis() / 1000;
  }

  private static void awaitClock(long untilS) {
    await("the clock").atMost(Duration.ofMinutes(3)).until(() -> nowS() > untilS);
  }

  private void replay(long fromS, long toS) throws Exception {
    Path target = services.root().resolve("topology/history/target");
    List<String> command =
        new ArrayList<>(
            JavaCommand.of(
                target.resolve("*") + File.pathSeparator + target.resolve("lib/*"),
                List.of(),
                "dev.rondo.history.Main",
                "replay"));
    Collection<String> topics = TOPICS.keySet();
    topics.forEach(topic -> command.add("--topic=" + topic));
    command.addAll(
        List.of(
            "--live",
            "--overwrite",
            "--from=" + Instant.ofEpochSecond(fromS),
            "--to=" + Instant.ofEpochSecond(toS),
            "--config=" + dir.resolve("instance-1/topology.properties"),
            "--jobs=" + dir.resolve("jobs"),
            "--postgres="
                + services
                    .jdbcUrl()
                    .replaceFirst("jdbc:postgresql://([^?]*).*", "postgresql://rondo@$1")));
    Path log = dir.resolve("replay.log");
    Process replay =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    assertThat(replay.waitFor()).as(Files.readString(log)).isZero();
  }

  /** Values by the second at which a slot begins, but of the open one at the end. */
  private Map<Long, Double> slots(String series, long baseS) throws SQLException {
    Map<Long, Double> slots = new TreeMap<>();
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select t, r from ds join tv on tv.ds_id = ds.id where ident = '{\"name\": \"%s\"}' and r is not null"
                    .formatted(series))) {
      while (result.next()) {
        slots.put(result.getTimestamp(1).getTime() / 1000 - 1 - baseS, result.getDouble(2));
      }
    }
    slots.remove((long) END_S);
    return slots;
  }
}
