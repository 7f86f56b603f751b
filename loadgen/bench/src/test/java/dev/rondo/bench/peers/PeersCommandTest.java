package dev.rondo.bench.peers;

import dev.rondo.bench.CommandRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong options are rejected before anything is started. */
class PeersCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--series=1                                      | go build -o victoria-metrics",
        "--victoria-metrics=missing                      | missing is not an executable file",
        "--victoria-metrics=pom.xml                      | pom.xml is not an executable file",
        "--victoria-metrics=missing --series=0           | --series: 0 is not 1..10000000",
        "--victoria-metrics=missing --interval=0         | --interval: 0 is not 0.1..3600",
        "--victoria-metrics=missing --seconds=9          | --seconds: 9 is less than 10",
        "--victoria-metrics=missing --warm-up=0          | --warm-up: 0 is less than 1",
        "--victoria-metrics=missing --runs=0             | --runs: 0 is less than 1",
        "--victoria-metrics=missing --profile=none       | is not one of keyed, unkeyed",
        "--victoria-metrics=missing --profile=otlp       | the series of otlp have tags",
      })
  void shouldNameWhatToChange(String options, String expected) {
    var command =
        new PeersCommand(
            (workload, settings) -> {
              throw new AssertionError("started");
            });

    CommandRun.rejects(command, options, expected);
  }
}
