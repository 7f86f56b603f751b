package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.topology.segment.Segment;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StandbyTest {
  private static final String POLICY = "{name: p, match: '.*', step: 1s, archives: ['1s:1h']}";

  @Test
  void shouldFreeTheSegmentsOfATaskThatBecomesAStandby() {
    OneTask task = new OneTask(1_000, POLICY);
    task.send("a", 1_000, 1);
    List<WeakReference<Segment>> segments = task.segments();
    assertThat(segments).hasSize(1);

    task.becomeStandby();

    await("segments that the standby does not hold")
        .until(
            () -> {
              System.gc();
              return segments.stream().map(WeakReference::get).allMatch(Objects::isNull);
            });
    task.restart(POLICY);
    assertThat(task.state("a")).as("a series of the restarted task").isNotNull();
  }
}
