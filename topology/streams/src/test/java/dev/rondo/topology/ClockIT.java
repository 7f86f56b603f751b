package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.embedded.FakeClock;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is set while the topology runs. */
class ClockIT {
  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");

  private FakeClock clock() throws IOException {
    Path library = FakeClock.library().orElse(null);
    assumeTrue(library != null, "no libfaketime to set a clock with: apt install faketime");
    return new FakeClock(library, dir.resolve("clock"));
  }

  private TopologyProcess topology(FakeClock clock) {
    return new TopologyProcess(dir, kafka.bootstrap())
        .environment(clock.environment())
        .set("rondo.prefix", kafka.prefix())
        .set("sources", points + "=graphite")
        .set("partitions", 1);
  }

  @Test
  void shouldExitWhenItsClockIsSetBack() throws Exception {
    FakeClock clock = clock();
    clock.set(Duration.ofHours(1));
    try (var load = new UnkeyedLoad(kafka.bootstrap(), points, 1);
        var topology = topology(clock)) {
      load.resume();
      topology.start();
      awaitCommitAfter(0);
      clock.set(Duration.ZERO);
      assertThat(topology.awaitEnd()).isEqualTo(FailureReport.FAILED);
      assertThat(dir.resolve("topology.log"))
          .content()
          .contains("The clock of this machine was set back by 3");
      topology.start();
      awaitCommitAfter(committed());
    }
  }

  @Test
  @Tag("long")
  void shouldContinueWhenItsClockIsSetForward() throws Exception {
    FakeClock clock = clock();
    try (var load = new UnkeyedLoad(kafka.bootstrap(), points, 1);
        var topology = topology(clock)) {
      load.resume();
      topology.start();
      awaitCommitAfter(0);
      clock.set(Duration.ofHours(1));
      awaitCommitAfter(committed());
      awaitCommitAfter(committed());
      assertThat(topology.get("/health/live")).contains("\"ok\":true");
    }
  }

  private void awaitCommitAfter(long offset) {
    await().atMost(BOUND).until(() -> committed() > offset);
  }

  /** Offset of the source that the group has committed. */
  private long committed() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      var offsets =
          admin.listConsumerGroupOffsets(kafka.prefix()).partitionsToOffsetAndMetadata().get();
      OffsetAndMetadata at = offsets.get(new TopicPartition(points, 0));
      return at == null ? 0 : at.offset();
    }
  }
}
