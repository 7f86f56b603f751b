package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.NewTopics;
import dev.rondo.rows.WriteMode;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a job on a real broker. */
class JobTopicsIT {
  @TempDir Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String id = kafka.topic("replay-1");
  private final String lines = kafka.source("lines");
  private final Job job =
      new Job("1", List.of(), Map.of(), 0, 1, 0, WriteMode.FILL, List.of(), 0, 1, List.of(lines));

  @Test
  void shouldDeleteWhatIsLeftOfAJob() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      var properties = new Properties();
      properties.put("bootstrap.servers", kafka.bootstrap());
      properties.put("application.id", id);
      properties.put("state.dir", dir.resolve("state").toString());
      TopologyConfig config = TopologyConfig.of(properties);
      String other = kafka.topic("bundle-rows");
      NewTopics.create(admin, List.of(topic(id + ".bundle-rows"), topic(lines), topic(other)));
      var rows = new TopicPartition(id + ".bundle-rows", 0);
      admin.alterConsumerGroupOffsets(id, Map.of(rows, new OffsetAndMetadata(0))).all().get();

      JobTopics.delete(admin, config, job);
      JobTopics.delete(admin, config, job);

      assertThat(admin.listTopics().names().get())
          .filteredOn(name -> name.startsWith(kafka.prefix()))
          .containsExactly(other);
      assertThat(admin.listGroups().all().get())
          .noneMatch(group -> group.groupId().startsWith(kafka.prefix()));
    }
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1);
  }
}
