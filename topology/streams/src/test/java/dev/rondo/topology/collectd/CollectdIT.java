package dev.rondo.topology.collectd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.StartFailedException;
import dev.rondo.formats.catalog.Format;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uses collectd as the producer, once in each of its formats: series and values are the same in
 * every format. Every record has its own key, eight random hex digits.
 */
class CollectdIT {
  private static final long PUT_SECOND = 1_455_320_690;

  private final Map<String, CollectdTopic> topics =
      new TreeMap<>(
          Map.of(
              "JSON", new CollectdTopic(Format.JSON),
              "Command", new CollectdTopic(Format.PUTVAL),
              "Graphite", new CollectdTopic(Format.GRAPHITE)));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private Collectd collectd;

  @BeforeEach
  void start() throws Exception {
    Path binary = Collectd.binary().orElse(null);
    if (binary == null) {
      abort("this machine has no collectd: apt install collectd-core librdkafka1 libyajl2");
    }
    try (Admin admin = Admin.create(kafka.client())) {
      List<NewTopic> created = new ArrayList<>();
      topics
          .keySet()
          .forEach(topic -> created.add(new NewTopic(kafka.source(topic), 2, (short) 1)));
      NewTopics.create(admin, created);
    }
    try {
      collectd = Collectd.start(binary, dir.resolve("collectd"), kafka, topics.keySet());
    } catch (StartFailedException e) {
      if (e.getMessage().contains("write_kafka.so")) {
        abort("collectd cannot load write_kafka: apt install librdkafka1 libyajl2");
      }
      throw e;
    }
  }

  @AfterEach
  void stop() {
    if (collectd != null) {
      collectd.close();
    }
  }

  @Test
  void shouldFindTheSameSeriesAndValuesInAllFormats() throws Exception {
    collectd.put("web01/odd plugin-a.b/gauge-x:y,z(1)", PUT_SECOND + ".250:42.5");
    collectd.put("web01/load/load", PUT_SECOND + ":0.25:1e-7:3");
    collectd.put("web01/tail-x/derive", PUT_SECOND + ":9007199254740993");
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  topics.get(format(record.topic())).take(record);
                }
                assertSame();
              });
    }
    topics.forEach(
        (format, topic) -> {
          assertThat(topic.valueAt("web01.odd_plugin-a_b.gauge-x_y_z_1_", PUT_SECOND))
              .as(format)
              .isEqualTo(42.5);
          assertThat(topic.valueAt("web01.load.load.midterm", PUT_SECOND))
              .as(format)
              .isEqualTo(1e-7);
          assertThat(topic.valueAt("web01.tail-x.derive", PUT_SECOND))
              .as(format)
              .isEqualTo(9007199254740992.0);
          assertThat(topic.series()).as(format).contains("web_01.load.load.shortterm");
          assertThat(topic.drops()).as(format).isEmpty();
          assertThat(topic.keys())
              .as(format)
              .hasSize(topic.records())
              .allSatisfy(key -> assertThat(key).matches("[0-9A-F]{8}"));
        });
  }

  private String format(String topic) {
    return topic.substring(kafka.source("").length());
  }

  private void assertSame() {
    CollectdTopic json = topics.get("JSON");
    assertThat(json.series()).hasSizeGreaterThan(20);
    topics.forEach(
        (format, topic) -> {
          assertThat(topic.series()).as(format).isEqualTo(json.series());
          assertThat(topic.differencesTo(json)).as(format).isEmpty();
          assertThat(topic.commonWith(json)).as(format).isGreaterThan(2 * json.series().size());
        });
  }

  private Consumer<byte[], byte[]> consumer() {
    Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrap(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        topics.keySet().stream()
            .flatMap(topic -> consumer.partitionsFor(kafka.source(topic)).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList());
    return consumer;
  }
}
