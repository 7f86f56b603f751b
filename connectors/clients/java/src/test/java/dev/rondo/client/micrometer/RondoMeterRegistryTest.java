package dev.rondo.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RondoMeterRegistryTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1234, 1230", // the first
    "1230, 1240, 1240",
    "1230, 1239, 1240", // closed before its step has ended, or published early
    "1240, 1249, 1250",
    "1230, 1275, 1270", // steps were skipped
    "9990, 1249, 1240", // the clock was ahead, and was set back
  })
  void shouldPublishEachStepOnce(long endMs, long nowMs, long nextMs) {
    assertThat(RondoMeterRegistry.endAfter(endMs, nowMs, 10)).isEqualTo(nextMs);
  }
}
