package dev.rondo.tools.backfill.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.tools.slots.WriteMode;
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
  private static final String ID = "rondo.replay-1";
  private static final Job JOB =
      new Job("1", List.of(), Map.of(), 0, 1, WriteMode.FILL, List.of(), 0, 1, List.of("lines"));

  @TempDir Path dir;

  @Test
  void shouldDeleteWhatIsLeftOfAJob() throws Exception {
    try (KafkaBroker kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      var properties = new Properties();
      properties.put("bootstrap.servers", kafka.bootstrap());
      properties.put("application.id", ID);
      properties.put("state.dir", dir.resolve("state").toString());
      TopologyConfig config = TopologyConfig.of(properties);
      NewTopics.create(
          admin, List.of(topic(ID + ".bundle-rows"), topic("lines"), topic("rondo.bundle-rows")));
      var rows = new TopicPartition(ID + ".bundle-rows", 0);
      admin.alterConsumerGroupOffsets(ID, Map.of(rows, new OffsetAndMetadata(0))).all().get();

      JobTopics.delete(admin, config, JOB);
      JobTopics.delete(admin, config, JOB);

      assertThat(admin.listTopics().names().get()).containsExactly("rondo.bundle-rows");
      assertThat(admin.listGroups().all().get()).isEmpty();
    }
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1);
  }
}
