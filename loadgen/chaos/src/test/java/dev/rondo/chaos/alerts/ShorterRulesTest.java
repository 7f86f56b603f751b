package dev.rondo.chaos.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShorterRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          for: 5m                                   | for: 30000ms
          increase(a_total[1h]) > 0                 | increase(a_total[360000ms]) > 0
          a unless a offset 10m                     | a unless a offset 60000ms
          max by (job) (lag_seconds{s!="x"}) > 60   | max by (job) (lag_seconds{s!="x"}) > 6.0
          max_over_time(awaited_seconds[10m])) > 60 | max_over_time(awaited_seconds[60000ms])) > 6.0
          retrying_seconds > 300                    | retrying_seconds > 30.0
          rate(duration_seconds_bucket[5m]))) > 2.5 | rate(duration_seconds_bucket[30000ms]))) > 2.5
          a / b > 0.8                               | a / b > 0.8
          """)
  void shouldDivideTimesOnly(String rule, String shorter) {
    assertThat(ShorterRules.of(rule, 10)).isEqualTo(shorter);
  }

  @Test
  void shouldLeaveNoLongTimeInTheAlerts() throws IOException {
    String rules = Files.readString(Path.of("../../deploy/prometheus/alerts.yml"));
    assertThat(rules).containsPattern("for: \\d+[mh]");
    assertThat(ShorterRules.of(rules, 10))
        .doesNotContainPattern("(for: |\\[|offset )\\d+[smhd]\\b")
        .doesNotContainPattern("_seconds\\)* > \\d{2,}\\s");
  }
}
