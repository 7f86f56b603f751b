package dev.rondo.topology.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LagRunTest {
  private final Lag lag = new Lag(() -> Instant.ofEpochMilli(10_000));
  private final LagRun run = new LagRun(lag, Stage.MERGED, new TopicPartition("points", 0));

  @Test
  void shouldCountBatchesWrittenTogetherAsTheFirst() {
    run.add(7, 9_000, 10);
    run.add(8, 9_100, 1);
    run.add(9, 9_101, 2);
    run.report();
    run.report();
    assertThat(lag.totals(Stage.MERGED)).isEqualTo(new Lag.Totals(13, 11 * 1.0 + 2 * 0.899));
  }
}
