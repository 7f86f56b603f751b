package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** A record has the same verdict whenever it is read. */
class RecordVerdictPropertyTest {
  private static final String SOURCE = "graphite";
  private static final TopicPartition PARTITION = new TopicPartition(SOURCE, 0);
  private static final long START_MS = 1_700_000_000_000L;

  /** No record is further ahead of the clock of its broker, or behind it. */
  private static final int MOST_SKEW_S = 7_200;

  /** Verdicts of the records, in order. */
  private record Verdicts(List<Point> points, List<String> deadLetters) {
    Verdicts() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  @Property(tries = 100)
  void shouldNotDependOnWhenARecordIsRead(@ForAll long seed) {
    Random random = new Random(seed);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    List<Long> appendedMs = new ArrayList<>();
    long nowMs = START_MS;
    for (int n = 0; n < 30; n++) {
      nowMs += random.nextInt(60_000);
      appendedMs.add(nowMs);
      records.add(record(n, nowMs + skewMs(random), random));
    }
    Verdicts live = new Verdicts();
    for (int n = 0; n < records.size(); n++) {
      read(records.subList(n, n + 1), appendedMs.get(n) + random.nextInt(500), live);
    }
    Verdicts backlog = new Verdicts();
    for (int from = 0;
        from < records.size(); ) { // each start reads what has arrived since the last one
      int to = Math.min(records.size(), from + 1 + random.nextInt(10));
      read(records.subList(from, to), appendedMs.get(to - 1) + random.nextInt(600_000), backlog);
      from = to;
    }
    Verdicts replay = new Verdicts();
    read(records, nowMs + Duration.ofDays(1).toMillis(), replay);
    assertThat(backlog).as("backlog").isEqualTo(live);
    assertThat(replay).as("replay").isEqualTo(live);
  }

  private static long skewMs(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> 1000L * (random.nextInt(2 * MOST_SKEW_S) - MOST_SKEW_S);
      default -> 1000L * (random.nextInt(240) - 120);
    };
  }

  /** Points with a time near the bound, with any time, and without one. */
  private static ConsumerRecord<byte[], byte[]> record(int n, long recordMs, Random random) {
    long recordS = recordMs / 1000;
    byte[] value =
        "near.%d 1 %d\nany.%d 2 %d\nnone.%d 3 -1\nhalf\n"
            .formatted(
                n,
                recordS + 600 + random.nextInt(3) - 1,
                n,
                recordS + random.nextInt(2 * MOST_SKEW_S) - MOST_SKEW_S,
                n)
            .getBytes(UTF_8);
    return new ConsumerRecord<>(
        SOURCE,
        0,
        n,
        recordMs,
        TimestampType.CREATE_TIME,
        0,
        value.length,
        null,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  /** Reads records at a clock time, as an instance that has just started. */
  private static void read(
      List<ConsumerRecord<byte[], byte[]>> records, long nowMs, Verdicts verdicts) {
    var read = new ConsumerRecords<>(Map.of(PARTITION, records), Map.of());
    var properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "verdict");
    var topology = DecodeAlone.topology(SOURCE, Format.GRAPHITE, new SimpleMeterRegistry());
    try (var driver = new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(nowMs))) {
      var source =
          driver.createInputTopic(SOURCE, new ByteArraySerializer(), new ByteArraySerializer());
      var points =
          driver.createOutputTopic(
              DecodeAlone.POINTS, new IntegerDeserializer(), Topics.POINTS_SERDE.deserializer());
      var deadLetters =
          driver.createOutputTopic(
              Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
      for (var joined : RecordBatch.join(read, SOURCE::equals, nowMs).records(PARTITION)) {
        source.pipeInput(new TestRecord<>(null, null, joined.headers(), joined.timestamp()));
      }
      points
          .readRecordsToList()
          .forEach(
              record -> {
                verdicts.points.addAll(record.value().getPoints());
                shouldBeAccepted(record, nowMs);
              });
      for (var deadLetter : deadLetters.readRecordsToList()) {
        verdicts.deadLetters.add(text(deadLetter));
        shouldBeAccepted(deadLetter, nowMs);
      }
    }
  }

  /** A broker rejects records that are too far ahead of its clock, which would fail the task. */
  private static void shouldBeAccepted(TestRecord<?, ?> written, long nowMs) {
    assertThat(written.timestamp()).as("time of a record that is written").isBetween(0L, nowMs);
  }

  private static String text(TestRecord<byte[], byte[]> deadLetter) {
    StringBuilder text = new StringBuilder(new String(deadLetter.value(), UTF_8));
    deadLetter
        .headers()
        .forEach(
            header ->
                text.append(' ')
                    .append(header.key())
                    .append('=')
                    .append(new String(header.value(), UTF_8)));
    return text.toString();
  }
}
