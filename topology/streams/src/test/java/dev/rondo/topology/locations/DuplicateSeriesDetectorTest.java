package dev.rondo.topology.locations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateSeriesDetectorTest {
  private final Counter counter = new SimpleMeterRegistry().counter("detector");
  private final List<String> log = new ArrayList<>();
  private final DuplicateSeriesDetector detector = new DuplicateSeriesDetector(counter, log::add);

  @Test
  void shouldCountAllAndNameTheFirstOnesOnceAMinute() {
    for (int n = 0; n < 7; n++) {
      detector.add("s" + n, 1, 2);
    }
    detector.log(0);
    detector.add("t", 3, 4);
    detector.log(59_999);
    assertThat(log).hasSize(1);
    assertThat(log.get(0))
        .startsWith("7 series are in two partitions: 's0' in 1 and 2, 's1' in 1 and 2,")
        .contains("'s4' in 1 and 2 …; ");
    detector.log(60_000);
    assertThat(log.get(1)).startsWith("1 series are in two partitions: 't' in 3 and 4; ");
    detector.log(120_000);
    assertThat(log).as("nothing new").hasSize(2);
    assertThat(counter.count()).isEqualTo(8);
  }
}
