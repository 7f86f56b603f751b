package dev.rondo.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rondo.bench.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--series=0              | --series: 0 is not 1..100000000",
        "--interval=0            | --interval: 0 is not 0.1..3600",
        "--instances=0           | --instances: 0 is not 1..10000",
        "--instances=2           | --instances: one of 2 has 5000000 series, which is not 1..500000",
        "--profile=relay         | --profile: relay has several points a record",
        "--profile=none          | is not one of keyed, unkeyed",
        "--seconds=9             | --seconds: 9 is less than 10",
      })
  void shouldNameWhatToChange(String options, String expected) {
    var command =
        new ScaleCommand(
            (workload, settings) -> {
              throw new AssertionError("started");
            });

    CommandRun.rejects(command, options, expected);
  }

  @Test
  void shouldTellHowFarThePredictionIsOff() {
    var high = new Comparison("CPU", "cores", 1.2, 1.0);
    var low = new Comparison("CPU", "cores", 0.75, 1.0);

    assertThat(high.differencePercent()).isCloseTo(20, within(1e-9));
    assertThat(low.differencePercent()).isCloseTo(-25, within(1e-9));
    assertThat(low.isGood()).isFalse();
    assertThat(low.line()).contains("0.750", "1.000", "-25 %", "beyond 20 %");
    assertThat(new Comparison("CPU", "cores", 1.1, 1.0).isGood()).isTrue();
  }
}
