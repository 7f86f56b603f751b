package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.embedded.FakeClock;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is set while the topology runs. */
class ClockIT {
  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();

  @Test
  void shouldGoOnAfterItsClockIsSetBackByAnHour() throws Exception {
    Path library = FakeClock.library().orElse(null);
    assumeTrue(library != null, "no libfaketime to set a clock with: apt install faketime");
    var clock = new FakeClock(library, dir.resolve("clock"));
    clock.set(Duration.ofHours(1));
    String points = kafka.source("points");
    try (var load = new UnkeyedLoad(kafka.bootstrap(), points, 1);
        var topology =
            new TopologyProcess(dir, kafka.bootstrap())
                .environment(clock.environment())
                .set("rondo.prefix", kafka.prefix())
                .set("sources", points + "=graphite")
                .set("partitions", 1)) {
      load.resume();
      topology.start();
      await().atMost(BOUND).until(() -> committed(points) > 0);
      clock.set(Duration.ZERO);
      long before = committed(points);
      assertThat(topology.awaitEnd()).isEqualTo(FailureReport.FAILED);
      assertThat(dir.resolve("topology.log"))
          .content()
          .contains("The clock of this machine was set back by 3");
      topology.start();
      await().atMost(BOUND).until(() -> committed(points) > before + 20);
    }
  }

  /** Offset of the source that the group has committed. */
  private long committed(String topic) throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      var offsets =
          admin.listConsumerGroupOffsets(kafka.prefix()).partitionsToOffsetAndMetadata().get();
      OffsetAndMetadata at = offsets.get(new TopicPartition(topic, 0));
      return at == null ? 0 : at.offset();
    }
  }
}
