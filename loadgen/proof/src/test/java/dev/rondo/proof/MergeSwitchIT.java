package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.harness.parts.Instance;
import dev.rondo.proof.Proof.Fault;
import dev.rondo.proof.model.Collector.Sending;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code merge.sources} is set to false while batches are buffered for other source partitions. */
@Tag("long")
@Timeout(1800)
class MergeSwitchIT {
  @Test
  void shouldConsolidateBufferedBatchesWhenMergingIsSwitchedOff() throws Exception {
    List<Sending> keyed = List.of(Sending.BATCH_BY_HOST, Sending.POINT_BY_HOST);
    try (Proof proof = Proof.start("merge-switch", Settings.current(), Map.of(), keyed)) {
      proof.inject(new Fault("merge.sources switched off", () -> switchOff(proof)));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }

  private static void switchOff(Proof proof) throws Exception {
    killWithBufferedBatches(proof);
    for (Instance instance : proof.running()) {
      instance.set("merge.sources", "false");
      instance.start();
    }
    for (Instance instance : proof.running()) {
      instance.awaitRunning();
    }
  }

  /** Kills all instances at a moment when their last commit has left batches in the buffer. */
  private static void killWithBufferedBatches(Proof proof) throws Exception {
    while (true) {
      await("buffered batches")
          .untilAsserted(() -> assertThat(proof.instances().bufferedBatches()).isPositive());
      proof.running().forEach(Instance::kill);
      if (proof.instances().bufferedBatches() > 0) {
        return;
      }
      proof.instances().startEnded(proof.running());
    }
  }
}
