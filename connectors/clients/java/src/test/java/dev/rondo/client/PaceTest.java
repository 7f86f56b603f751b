package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PaceTest {
  @Property
  void shouldSendTheRecordsOfAStepInOrderInTheFirstHalfOfTheNext(
      @ForAll @LongRange(min = 1000, max = 3_600_000) long stepMs,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double phase,
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long nowMs,
      @ForAll @IntRange(min = 1, max = 200) int records) {
    var pace = new Pace(stepMs, phase);
    long endMs = pace.endBefore(nowMs);
    assertThat(endMs).isBetween(nowMs - stepMs + 1, nowMs);
    assertThat(endMs % stepMs).isZero();
    assertThat(pace.endAfter(nowMs)).isEqualTo(endMs + stepMs);
    long beforeMs = endMs;
    for (int n = 0; n < records; n++) {
      long dueMs = pace.dueMs(endMs, n, records);
      assertThat(dueMs).isBetween(beforeMs, endMs + stepMs / 2);
      beforeMs = dueMs;
    }
  }

  @Test
  void shouldSpreadAThousandClients() {
    Map<Long, Integer> clientsByMs = new HashMap<>();
    for (int n = 0; n < 1000; n++) {
      byte[] key = "shop;host=web%04d".formatted(n).getBytes(StandardCharsets.UTF_8);
      clientsByMs.merge(Pace.of(10_000, key).dueMs(0, 0, 1), 1, Integer::sum);
    }
    assertThat(clientsByMs.values()).allSatisfy(clients -> assertThat(clients).isLessThan(6));
    assertThat(clientsByMs.keySet()).anyMatch(ms -> ms < 50).anyMatch(ms -> ms > 4950);
  }
}
