package dev.rondo.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.embedded.NewTopics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class RecordTimeBoundIT {
  private static final long HOUR_MS = 3_600_000;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String broker = kafka.source("by-broker");
  private final String senders = kafka.source("by-senders");
  private final String bounded = kafka.source("bounded");

  private void create(Admin admin, String name, Map<String, String> configs) throws Exception {
    var topic = new NewTopic(name, Optional.of(1), Optional.empty()).configs(configs);
    NewTopics.create(admin, List.of(topic));
  }

  @Test
  void shouldReportTopicsThatAcceptRecordsAhead() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      create(admin, broker, Map.of("message.timestamp.type", "LogAppendTime"));
      create(admin, senders, Map.of("message.timestamp.type", "CreateTime"));
      create(admin, bounded, Map.of("message.timestamp.after.max.ms", "60000"));
      assertThat(
              RecordTimeBound.of(admin, List.of(broker, senders, bounded, kafka.source("missing"))))
          .containsExactlyInAnyOrder(
              new RecordTimeBound(broker, OptionalLong.of(0)),
              new RecordTimeBound(senders, OptionalLong.of(HOUR_MS)), // since Kafka 4.0
              new RecordTimeBound(bounded, OptionalLong.of(60_000)));
    }
    shouldRefuseRecordsThatAreAhead();
  }

  /** What a sender sees. */
  private void shouldRefuseRecordsThatAreAhead() {
    try (var producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      long aheadMs = System.currentTimeMillis() + 110_000;
      assertThatThrownBy(
              () ->
                  producer.send(new ProducerRecord<>(bounded, 0, aheadMs, null, new byte[1])).get())
          .hasCauseInstanceOf(InvalidTimestampException.class);
    }
  }

  @Test
  void shouldNameTheTopicItsBoundAndTheCommand() {
    assertThat(new RecordTimeBound("m", OptionalLong.of(HOUR_MS)).weakness(600_000, "b:1"))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("topic 'm'", "up to 1h ahead", "max.future.ms = 600000")
                    .contains("--bootstrap-server b:1", "--entity-name m")
                    .contains("--add-config message.timestamp.after.max.ms=300000")
                    .contains("message.timestamp.type=LogAppendTime"));
    assertThat(new RecordTimeBound("m", OptionalLong.of(600_000)).weakness(600_000, "b:1"))
        .isEmpty();
    assertThat(new RecordTimeBound("m", OptionalLong.empty()).weakness(0, "b:1")).isEmpty();
  }

  @Test
  void shouldFindNoBoundWithABrokerThatHasNone() {
    var config = new Config(List.of(new ConfigEntry("message.timestamp.type", "CreateTime")));
    assertThat(RecordTimeBound.of("m", config).weakness(600_000, "b:1"))
        .hasValueSatisfying(text -> assertThat(text).contains("any time ahead"));
  }
}
