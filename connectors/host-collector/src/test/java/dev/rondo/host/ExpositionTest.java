package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionTest {
  @Test
  void shouldReadTheOutputOfExporters() {
    String text =
        """
        # HELP rondo_decode_points_total Points decoded and passed on
        # TYPE rondo_decode_points_total counter
        rondo_decode_points_total 1.2345678E7

        jvm_threads 12
        rondo_drops_points_total{reason="late"} 3 1700000000000
        rondo_sink_put_seconds_le{connector="a-b",task="0",le="+Inf",} +Inf
        rondo_lag{source = "a\\\\b\\"{c},d\\n" , stage=""} NaN
        """;

    assertThat(Exposition.parse(text, metric -> metric.startsWith("rondo_")))
        .containsExactly(
            sample("rondo_decode_points_total", 12_345_678),
            sample("rondo_drops_points_total", 3, "reason", "late"),
            sample(
                "rondo_sink_put_seconds_le",
                Double.POSITIVE_INFINITY,
                "connector",
                "a-b",
                "le",
                "+Inf",
                "task",
                "0"),
            sample("rondo_lag", Double.NaN, "source", "a\\b\"{c},d\n", "stage", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rondo_a",
        "rondo_a one",
        "rondo_a 1 2 3",
        "rondo_a{b=\"c\" 1",
        "rondo_a{b=c} 1",
        "rondo_a{b=\"c\"d=\"e\"} 1",
        "rondo_a{,} 1",
        "1rondo 1",
        "<html>"
      })
  void shouldRejectOtherLines(String line) {
    assertThatThrownBy(() -> Exposition.parse("a 1\n" + line + "\n", metric -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 2 is not in Prometheus' text format: " + line);
  }

  @Test
  void shouldReadLongLabelValue() {
    String value = "x\\\\".repeat(100_000);

    assertThat(Exposition.parse("a{b=\"" + value + "\"} 1", metric -> true)).hasSize(1);
  }

  private static Sample sample(String metric, double value, String... labels) {
    Map<String, String> byName = new TreeMap<>();
    for (int k = 0; k < labels.length; k += 2) {
      byName.put(labels[k], labels[k + 1]);
    }
    return new Sample(metric, new TreeMap<>(byName), value);
  }
}
