package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of metrics is what the rules of the exporter say. */
class MetricsPageTest {
  private static final Path PAGE = Path.of("../../docs/reference/postgres-sink-metrics.md");

  @Test
  void shouldBeWhatTheRulesSay() throws IOException {
    if (Boolean.getBoolean("page.write")) {
      Files.writeString(PAGE, MetricsPage.text());
    }
    assertThat(PAGE)
        .as("after a change of metrics: %s", MetricsPage.COMMAND)
        .hasContent(MetricsPage.text());
  }
}
