package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins source records and decodes them from the batch. */
class RecordBatchTest {
  private static final String SOURCE = "graphite";
  private static final TopicPartition PARTITION = new TopicPartition(SOURCE, 0);
  private static final long TIME_MS = 1_700_000_000_000L;

  /** At offset {@code n}, written {@code n} ms after the first. */
  private static ConsumerRecord<byte[], byte[]> record(int n, byte[] value) {
    return record(n, TIME_MS + n, value);
  }

  private static ConsumerRecord<byte[], byte[]> record(int n, long recordMs, byte[] value) {
    var headers = new RecordHeaders();
    headers.add("n", Integer.toString(n).getBytes(UTF_8));
    return new ConsumerRecord<>(
        SOURCE,
        0,
        n,
        recordMs,
        TimestampType.CREATE_TIME,
        1,
        value == null ? -1 : value.length,
        new byte[] {(byte) n},
        value,
        headers,
        Optional.of(3));
  }

  private static List<ConsumerRecord<byte[], byte[]>> join(
      List<ConsumerRecord<byte[], byte[]>> records) {
    var next = Map.of(PARTITION, new OffsetAndMetadata(99));
    var read = new ConsumerRecords<>(Map.of(PARTITION, records), next);
    ConsumerRecords<byte[], byte[]> joined = RecordBatch.join(read, SOURCE::equals, 0);
    assertThat(joined.nextOffsets()).isEqualTo(next);
    return joined.records(PARTITION);
  }

  @Test
  void shouldJoinRecordsUnderTheOffsetOfTheFirst() {
    var records = List.of(record(7, new byte[10]), record(9, null), record(10, new byte[5]));
    assertThat(join(records))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.offset()).isEqualTo(7);
              assertThat(one.timestamp()).isEqualTo(TIME_MS + 10);
              assertThat(one.leaderEpoch()).contains(3);
              assertThat(one.serializedValueSize()).isEqualTo(15);
              assertThat(RecordBatch.of(one.headers()).records()).isEqualTo(records);
            });
  }

  @Test
  void shouldSplitByBytesAndByNumber() {
    byte[] third = new byte[30_000];
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (int n = 0; n < 5; n++) {
      records.add(record(n, third));
    }
    records.add(
        record(5, new byte[100_000])); // exceeds the limit of a batch, so it is a batch alone
    for (int n = 6; n < 1_100; n++) {
      records.add(record(n, new byte[1]));
    }
    assertThat(join(records))
        .extracting(ConsumerRecord::offset)
        .containsExactly(0L, 2L, 4L, 5L, 6L, 1_006L);
  }

  @Test
  void shouldLeaveOtherTopicsAlone() {
    var read = new ConsumerRecords<>(Map.of(PARTITION, List.of(record(1, null))), Map.of());
    assertThat(RecordBatch.join(read, "another"::equals, 0).records(PARTITION))
        .isEqualTo(read.records(PARTITION));
  }

  @Test
  void shouldDecodeEachRecordAsIfItWereAlone() {
    var properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "batch");
    var topology = DecodeAlone.topology(SOURCE, Format.GRAPHITE, new SimpleMeterRegistry());
    try (var driver =
        new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(TIME_MS + 60_000))) {
      var source =
          driver.createInputTopic(SOURCE, new ByteArraySerializer(), new ByteArraySerializer());
      var points =
          driver.createOutputTopic(
              DecodeAlone.POINTS, new IntegerDeserializer(), Topics.POINTS_SERDE.deserializer());
      var deadLetters =
          driver.createOutputTopic(
              Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
      ConsumerRecord<byte[], byte[]> one =
          join(List.of(
                  record(7, "a 1 1700000000".getBytes(UTF_8)),
                  record(8, "none".getBytes(UTF_8)),
                  record(9, null),
                  record(10, "b 2".getBytes(UTF_8)),
                  record(12, "c 3 1700000001".getBytes(UTF_8))))
              .get(0);

      source.pipeInput(new TestRecord<>(null, null, one.headers(), one.timestamp()));

      List<TestRecord<Integer, Points>> decoded = points.readRecordsToList();
      assertThat(decoded)
          .flatExtracting(record -> record.value().getPoints())
          .containsExactly(
              new Point("a", 1_700_000_000_000L, 1.0), new Point("c", 1_700_000_001_000L, 3.0));
      List<Long> written = new ArrayList<>();
      for (var record : decoded) {
        SourceHeaders.forEachRecord(
            record.headers(),
            record.value().getPoints(),
            (offset, streamTimeMs, of) -> written.add(offset + streamTimeMs));
      }
      assertThat(written).containsExactly(7 + TIME_MS + 7, 12 + TIME_MS + 12);
      assertThat(deadLetters.readRecordsToList())
          .extracting(deadLetter -> deadLetter.key()[0] + " at " + text(deadLetter, "rondo.offset"))
          .containsExactly("8 at 8", "10 at 10"); // 9 is empty
    }
  }

  /** A gap is a record that was compacted away, or the end of a transaction. */
  @Test
  void shouldReportAPositionPastAGapBeforeARecordSentInParts() {
    var properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "batch");
    var topology = DecodeAlone.topology(SOURCE, Format.GRAPHITE, new SimpleMeterRegistry());
    String line = "%s.%%d 1 1700000000%n".formatted("a".repeat(900));
    byte[] large =
        IntStream.range(0, 2_000).mapToObj(line::formatted).collect(joining()).getBytes(UTF_8);
    try (var driver =
        new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(TIME_MS + 60_000))) {
      var source =
          driver.createInputTopic(SOURCE, new ByteArraySerializer(), new ByteArraySerializer());
      var points =
          driver.createOutputTopic(
              DecodeAlone.POINTS, new IntegerDeserializer(), Topics.POINTS_SERDE.deserializer());
      for (var record : List.of(record(7, "a 1 1700000000".getBytes(UTF_8)), record(9, large))) {
        source.pipeInput(
            new TestRecord<>(null, null, join(List.of(record)).get(0).headers(), TIME_MS));
      }

      List<TestRecord<Integer, Points>> parts = points.readRecordsToList();
      assertThat(parts).hasSizeGreaterThan(4);
      for (var part : parts) {
        List<Long> offsets = new ArrayList<>();
        Progress progress =
            SourceHeaders.forEachRecord(
                part.headers(),
                part.value().getPoints(),
                (offset, streamTimeMs, of) -> offsets.add(offset));
        assertThat(offsets).allSatisfy(it -> assertThat(progress.position()).isBetween(it, 10L));
      }
    }
  }

  /** Written records must have times that their topic accepts. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 7_200_000})
  void shouldWriteEventsOfRecordsWithoutATimeAndAhead(long aheadMs) {
    long recordMs = aheadMs < 0 ? -1 : TIME_MS + aheadMs;
    byte[] event = "{\"what\": \"deploy\", \"when\": 1700000000}".getBytes(UTF_8);
    var properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "batch");
    var topology = DecodeAlone.topology(SOURCE, Format.EVENTS, new SimpleMeterRegistry());
    try (var driver = new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(TIME_MS))) {
      var source =
          driver.createInputTopic(SOURCE, new ByteArraySerializer(), new ByteArraySerializer());
      var events =
          driver.createOutputTopic(
              Topics.EVENTS.name(),
              Topics.EVENTS.keySerde().deserializer(),
              Topics.EVENTS.valueSerde().deserializer());
      ConsumerRecord<byte[], byte[]> one = join(List.of(record(7, recordMs, event))).get(0);
      source.pipeInput(new TestRecord<>(null, null, one.headers(), TIME_MS));
      assertThat(events.readRecord())
          .satisfies(
              written -> {
                assertThat(written.key()).isEqualTo("graphite-0@7#0@" + recordMs);
                assertThat(written.timestamp()).isEqualTo(TIME_MS);
              });
    }
  }

  private static String text(TestRecord<byte[], byte[]> deadLetter, String header) {
    assertThat(deadLetter.headers().lastHeader("n").value())
        .isEqualTo(deadLetter.headers().lastHeader(header).value());
    return new String(deadLetter.headers().lastHeader(header).value(), UTF_8);
  }
}
