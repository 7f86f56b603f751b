package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.proof.model.Collector.Sending;
import dev.rondo.proof.parts.Instance;
import dev.rondo.proof.parts.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code merge.sources} is set to false while batches are buffered for other source partitions. */
@Timeout(900)
class MergeSwitchIT {
  @Test
  void shouldConsolidateBufferedBatchesWhenMergingIsSwitchedOff() throws Exception {
    List<Sending> keyed = List.of(Sending.BATCH_BY_HOST, Sending.POINT_BY_HOST);
    try (Proof proof = Proof.start("merge-switch", Settings.current(), Map.of(), keyed)) {
      proof.event(
          "merge.sources switched off",
          () -> {
            await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> proof.instances().waitingBatches() > 0);
            proof.running().forEach(Instance::kill);
            assertThat(proof.instances().waitingBatches()).isPositive();
            for (Instance instance : proof.running()) {
              instance.set("merge.sources", "false");
              instance.start();
            }
            for (Instance instance : proof.running()) {
              instance.awaitRunning();
            }
          });
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
