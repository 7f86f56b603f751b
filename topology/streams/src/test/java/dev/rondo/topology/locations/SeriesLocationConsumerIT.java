package dev.rondo.topology.locations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class SeriesLocationConsumerIT {
  private final KafkaSpace kafka = TestBed.kafka();
  private final Topic<String, SeriesEntry> series = TopicNames.of(kafka.prefix()).of(Topics.SERIES);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void shouldCountAndNameASeriesThatAppearsInASecondPartition() throws Exception {
    Map<String, Object> config = kafka.client();
    List<String> log = new CopyOnWriteArrayList<>();
    try (Admin admin = Admin.create(config);
        Producer<String, SeriesEntry> producer =
            new KafkaProducer<>(
                config,
                Topics.SERIES.keySerde().serializer(),
                Topics.SERIES.valueSerde().serializer());
        SeriesLocationConsumer consumer =
            new SeriesLocationConsumer(config, admin, series, registry, log::add)) {
      NewTopics.create(admin, List.of(new NewTopic(series.name(), 2, (short) 1)));
      emit(producer, "moved", 0);
      emit(producer, "retired", 0);
      producer.send(new ProducerRecord<>(series.name(), "retired", null)).get();
      consumer.start();
      await().until(() -> consumer.locations().isKnown());
      assertThat(consumer.locations().isElsewhere("moved", 7)).isTrue();
      emit(producer, "retired", 1);
      emit(producer, "moved", 1);
      await().until(() -> !log.isEmpty());
      assertThat(log.get(0)).startsWith("1 series are in two partitions: 'moved' in 0 and 1; ");
      assertThat(registry.get("rondo.series.in.two.partitions").counter().count()).isEqualTo(1);
      assertThat(consumer.locations().isElsewhere("moved", 0)).isTrue();
    }
  }

  private void emit(Producer<String, SeriesEntry> producer, String ident, int partition)
      throws Exception {
    SeriesEntry entry =
        new SeriesEntry(ident, "default", SegmentNumber.of(partition, 0), 1, 0L, "", "", 0L);
    producer.send(new ProducerRecord<>(series.name(), ident, entry)).get();
  }
}
