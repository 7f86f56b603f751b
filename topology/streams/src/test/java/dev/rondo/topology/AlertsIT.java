package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Runs prometheus/alerts-test.yml with Prometheus' promtool. */
class AlertsIT {
  @Test
  void shouldFireWhenTheyShould() throws IOException, InterruptedException {
    Process promtool = startOrSkip("promtool", "test", "rules", "prometheus/alerts-test.yml");
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(output).isZero();
  }

  private static Process startOrSkip(String... command) {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return abort(
          "no promtool to try the alerts with: " + e.getMessage() + "; apt install prometheus");
    }
  }
}
