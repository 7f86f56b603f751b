package dev.rondo.history.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.NewTopics;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PoliciesFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.LongPredicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which records a live replay reads, of a topic whose record times are not in order. */
class JobPlannerIT {
  private static final long BEGIN_MS = System.currentTimeMillis() / 1000 * 1000 - 10_000_000;
  private static final int RECORDS = 6_000;
  private static final int HOUR_MS = 3_600_000;

  @TempDir Path dir;
  private final KafkaSpace kafka = TestBed.kafka();

  /** Writes a record a second, some with the time of a clock that is an hour ahead. */
  private String topic(String name, LongPredicate isAhead) throws Exception {
    String topic = kafka.source(name);
    try (Admin admin = Admin.create(kafka.client());
        var producer =
            new KafkaProducer<>(
                kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      NewTopics.create(admin, List.of(new NewTopic(topic, 1, (short) 1)));
      for (int s = 0; s < RECORDS; s++) {
        long ms = BEGIN_MS + s * 1000L + (isAhead.test(s) ? HOUR_MS : 0);
        var unused = producer.send(new ProducerRecord<>(topic, 0, ms, null, "a 1".getBytes(UTF_8)));
      }
    }
    return topic;
  }

  /** Of the slots of the first half an hour. */
  private Job.Range records(String topic) throws Exception {
    var properties = new Properties();
    properties.put("bootstrap.servers", kafka.bootstrap());
    properties.put("rondo.prefix", kafka.prefix());
    properties.put("state.dir", dir.toString());
    TopologyConfig config = TopologyConfig.of(properties);
    String policies =
        "policies: [{name: all, match: '.*', step: 10s, heartbeat: 1m, archives: ['10s:1d']}]";
    var planner = new JobPlanner(config, PoliciesFile.parse(policies));
    try (Admin admin = Admin.create(kafka.client());
        RecordTimes times = new RecordTimes(config)) {
      var group = new GroupOffsets(admin, config.getString("application.id"));
      return planner
          .records(group, times, List.of(topic), BEGIN_MS, BEGIN_MS + HOUR_MS / 2)
          .parts()
          .get(0);
    }
  }

  @Test
  void shouldReadAllThatFollowsAClockThatWasAhead() throws Exception {
    Job.Range right = records(topic("right", s -> false));
    assertThat(right.end()).isBetween((long) HOUR_MS / 2 / 1000, (long) RECORDS / 2);

    Job.Range ahead = records(topic("ahead", s -> s >= 900 && s < 930));
    assertThat(ahead.end()).isBetween(right.end(), right.end() + 100);
  }

  @Test
  void shouldReadAllThatFollowsASenderWhoseClockIsAhead() throws Exception {
    Job.Range right = records(topic("alone", s -> false));
    Job.Range ahead = records(topic("beside", s -> s % 10 == 9));
    assertThat(ahead.end()).isBetween(right.end(), right.end() + 100);
  }
}
